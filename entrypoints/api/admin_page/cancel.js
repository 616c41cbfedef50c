// Cancelling one item or several, and saying in words what came of it.

import { call, Refused } from "./api.js";
import { confirm } from "./dialogs.js";
import { toast } from "./toasts.js";
import { count, kindName } from "./words.js";

const AT_ONCE = 4;

/** Ask to cancel one item; what the item is now goes to `take`. */
export async function cancelOne(item, take) {
  const outcome = await request(item, take);
  if (outcome.kind === "cancelled") toast(`${kindName(item.kind)} is cancelled.`, "good");
  if (outcome.kind === "asked") toast(`${kindName(item.kind)} was asked to stop.`);
  if (outcome.kind === "late") toast(lateWords(outcome.item), "bad");
  if (outcome.kind === "gone") toast("That item does not exist any more.", "bad");
  if (outcome.kind === "failed") toast(`Not cancelled: ${outcome.error.message}.`, "bad");
}

/** Ask whether, and then cancel each; false where the answer was no. */
export async function cancelSeveral(items, take) {
  const running = items.filter((item) => item.status === "Running").length;
  const queued = items.length - running;
  const consequences = [];
  if (queued) consequences.push(`${count(queued, "waiting item")} will be cancelled at once.`);
  if (running) consequences.push(`${count(running, "running item")} will be asked to stop; what was done so far stays.`);
  const title = `Cancel ${count(items.length, "item")}?`;
  if (!(await confirm({ title, consequences, action: "Cancel them", dismiss: "Keep them" }))) return false;
  const outcomes = [];
  // A few at a time: all at once, the last would wait for longer than anybody waits for an answer.
  for (let at = 0; at < items.length; at += AT_ONCE) {
    outcomes.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map((item) => request(item, take)))));
  }
  toast(summary(outcomes), outcomes.some(isBad) ? "bad" : "good");
  return true;
}

async function request(item, take) {
  try {
    const answer = await call("POST", `work-items/${item.id}/cancel`);
    take(answer);
    return { kind: answer.httpStatus === 202 ? "asked" : "cancelled" };
  } catch (error) {
    if (!(error instanceof Refused)) return { kind: "failed", error };
    if (error.status === 404) return { kind: "gone" };
    if (error.status !== 409) return { kind: "failed", error };
    take(error.problem.item);
    return { kind: "late", item: error.problem.item };
  }
}

function lateWords(item) {
  const ends = { Succeeded: "had succeeded", Failed: "had failed", Cancelled: "had been cancelled" };
  return `Too late: ${kindName(item.kind)} ${ends[item.status]} before the request came. Nothing was changed.`;
}

function summary(outcomes) {
  const many = (kind) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const parts = [];
  if (many("cancelled")) parts.push(`${many("cancelled")} cancelled`);
  if (many("asked")) parts.push(`${many("asked")} asked to stop`);
  if (many("late")) parts.push(`${many("late")} had ended before`);
  if (many("gone")) parts.push(`${many("gone")} not there any more`);
  if (many("failed")) parts.push(`${many("failed")} not reached`);
  return `${parts.join(", ")}.`;
}

function isBad(outcome) {
  return outcome.kind !== "cancelled" && outcome.kind !== "asked";
}
