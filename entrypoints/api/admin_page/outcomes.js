// What the last runs of schedules came to, beyond their status.

import { call, Refused } from "./api.js";
import { heldBack } from "./result.js";

// So many are read one by one; more are looked for among the newest of their kind.
const FEW = 5;
const MOST_READ = 200;

/** Remembers of each last run that succeeded what it held back; each is asked for once. */
export class Outcomes {
  #heldBack = new Map();

  /** Learn of the last runs that are not known yet. */
  async learn(schedules) {
    const unknown = schedules.filter(({ lastRun }) => lastRun?.status === "Succeeded" && !this.#heldBack.has(lastRun.workItemId));
    if (unknown.length === 0) return;
    const items = await (unknown.length <= FEW ? each(unknown) : newest(unknown));
    const found = new Map(items.map((item) => [item.id, heldBack(item)]));
    for (const { lastRun } of unknown) this.#heldBack.set(lastRun.workItemId, found.get(lastRun.workItemId) ?? 0);
  }

  /** How many assets the last run of a schedule would have taken away, and did not. */
  heldBack({ lastRun }) {
    return this.#heldBack.get(lastRun?.workItemId) ?? 0;
  }
}

async function each(schedules) {
  const reads = schedules.map(({ lastRun }) => call("GET", `work-items/${lastRun.workItemId}`).catch(gone));
  return (await Promise.all(reads)).filter(Boolean);
}

function gone(error) {
  if (error instanceof Refused && error.status === 404) return null;
  throw error;
}

async function newest(schedules) {
  const kinds = [...new Set(schedules.map((schedule) => schedule.kind))];
  const query = { status: "Succeeded", pageSize: MOST_READ };
  const pages = await Promise.all(kinds.map((kind) => call("GET", "work-items", { query: { ...query, kind } })));
  return pages.flatMap(({ items }) => items);
}
