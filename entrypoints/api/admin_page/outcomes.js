// What the last runs of schedules came to, beyond their status.

import { call } from "./api.js";
import { heldBack } from "./result.js";

const MOST_READ = 200;

/** Remembers of each last run that succeeded what it held back; each is asked for once. */
export class Outcomes {
  #heldBack = new Map();

  /** Learn of the last runs that are not known yet. */
  async learn(schedules) {
    const unknown = schedules.filter(({ lastRun }) => lastRun?.status === "Succeeded" && !this.#heldBack.has(lastRun.workItemId));
    if (unknown.length === 0) return;
    const kinds = [...new Set(unknown.map((schedule) => schedule.kind))];
    const pages = await Promise.all(kinds.map(newestOf));
    const found = new Map(pages.flatMap(({ items }) => items).map((item) => [item.id, heldBack(item)]));
    for (const { lastRun } of unknown) this.#heldBack.set(lastRun.workItemId, found.get(lastRun.workItemId) ?? 0);
  }

  /** How many assets the last run of a schedule would have taken away, and did not. */
  heldBack({ lastRun }) {
    return this.#heldBack.get(lastRun?.workItemId) ?? 0;
  }
}

function newestOf(kind) {
  return call("GET", "work-items", { query: { status: "Succeeded", kind, pageSize: MOST_READ } });
}
