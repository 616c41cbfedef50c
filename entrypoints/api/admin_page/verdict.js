// One sentence at the top: what the installation is doing, and what to do where it is not well.

import { go } from "./address.js";
import { between, now, span } from "./clock.js";
import { fill, h, icon } from "./dom.js";
import { scopeName } from "./names.js";
import { count, kindName, number } from "./words.js";
import { countOf } from "./overview.js";

export const ALIVE_SECONDS = 30;

function opener(item) {
  return h("button", { type: "button", class: "link", onClick: () => go({ item }) }, "See why");
}

/** Whether a Worker was there a moment ago. */
export function isAlive(worker) {
  return between(worker.seenAt) < ALIVE_SECONDS;
}

/** The line; `update(overview, silent)` makes it true again. */
export function verdict() {
  const element = h("div", { class: "verdict", data: { look: "calm" } });
  let told = "";
  return {
    element,
    update(overview, silent) {
      if (overview.workers === null || overview.counts === null) return;
      const found = judge(overview, silent);
      const text = JSON.stringify(found);
      if (text === told) return;
      told = text;
      element.dataset.look = found.look;
      const drawing = found.look === "good" ? "succeeded" : "warning";
      fill(element, icon(drawing), h("strong", {}, found.title), h("span", {}, found.text), found.command && h("code", { class: "mono" }, found.command), found.item && opener(found.item));
    },
  };
}

function judge(overview, silent) {
  const alive = overview.workers.filter(isAlive);
  const waiting = countOf(overview.counts, "Queued").count;
  const running = countOf(overview.counts, "Running").count;
  if (alive.length === 0) return nobodyThere(overview.workers, waiting);
  if (silent.length > 0) {
    const kinds = [...new Set(silent.map((item) => kindName(item.kind)))].join(", ");
    const text = `${kinds}: no sign of life from its Worker. If that lasts, another attempt begins by itself.`;
    return { look: "care", title: `${count(silent.length, "item")} silent.`, text };
  }
  const overdue = (overview.schedules ?? []).filter((schedule) => schedule.isOverdue);
  if (overdue.length > 0) {
    const text = `${kindName(overdue[0].kind)} should have begun by itself. Does a Worker serve its folder?`;
    return { look: "care", title: `${count(overdue.length, "schedule")} overdue.`, text };
  }
  const failed = (overview.schedules ?? []).filter((schedule) => schedule.lastRun?.status === "Failed" && !schedule.currentRun);
  if (failed.length > 0) return failedLastTime(failed);
  return { look: "good", title: running ? "Working." : "All quiet.", text: doing(alive, running, waiting, overview.schedules) };
}

function nobodyThere(workers, waiting) {
  const since = workers.length > 0 ? `The last one was seen ${span(between(workers[0].seenAt))} ago.` : "None was ever seen.";
  const wait = waiting > 0 ? ` ${count(waiting, "item")} ${waiting === 1 ? "waits" : "wait"}.` : "";
  return { look: "bad", title: "No Worker is there.", text: `${since}${wait} Start one:`, command: "anichron worker" };
}

function failedLastTime([first, ...others]) {
  const more = others.length > 0 ? ` So did ${count(others.length, "other schedule")}.` : "";
  const text = `${kindName(first.kind)} of ${scopeName(first.storageConfigId)}.${more}`;
  return { look: "care", title: "Failed last time:", text, item: first.lastRun.workItemId };
}

function doing(alive, running, waiting, schedules) {
  const parts = [count(alive.length, "Worker") + (alive.length === 1 ? " is there" : " are there")];
  if (running) parts.push(`${number(running)} running`);
  if (waiting) parts.push(`${number(waiting)} waiting`);
  const next = nextDue(schedules ?? []);
  if (!running && !waiting && next) parts.push(`next is ${kindName(next.kind)}, ${whenWords(next)}`);
  return `${parts.join(", ")}.`;
}

function nextDue(schedules) {
  const due = schedules.filter((schedule) => schedule.nextDueAt !== null);
  return due.sort((one, other) => Date.parse(one.nextDueAt) - Date.parse(other.nextDueAt))[0];
}

function whenWords(schedule) {
  const seconds = (Date.parse(schedule.nextDueAt) - now()) / 1000;
  if (seconds < 60) return "in a moment";
  return `in ${span(Math.floor(seconds / 60) * 60)}`;
}
