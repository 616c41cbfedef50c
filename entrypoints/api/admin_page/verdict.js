// One sentence at the top: what the installation is doing, and what to do where it is not well.

import { go } from "./address.js";
import { between, now, span } from "./clock.js";
import { fill, h, icon } from "./dom.js";
import { ownerOf, scopeName } from "./names.js";
import { count, kindName, number } from "./words.js";
import { countOf } from "./overview.js";

function opener(item) {
  return h("button", { type: "button", class: "link", onClick: () => go({ item }) }, "See why");
}

/** Whether a Worker was there when it was asked for. */
export function isAlive(worker) {
  return worker.life === "there" || worker.life === "quiet";
}

/** The line; `update(overview, silent, untrue)` makes it true again. */
export function verdict() {
  const element = h("div", { class: "verdict", data: { look: "calm" } });
  let told = "";
  return {
    element,
    update(overview, silent, untrue) {
      if (overview.workers === null || overview.counts === null) return;
      const found = untrue ? unheard(untrue) : judge(overview, silent);
      const text = JSON.stringify(found);
      if (text === told) return;
      told = text;
      element.dataset.look = found.look;
      const drawing = found.look === "good" ? "succeeded" : "warning";
      fill(element, icon(drawing), h("strong", {}, found.title), h("span", {}, found.text), found.command && h("code", { class: "mono" }, found.command), found.item && opener(found.item));
    },
  };
}

function unheard(title) {
  return { look: "bad", title, text: "What you see was so when it last told. The page goes on by itself." };
}

function judge(overview, silent) {
  const alive = overview.workers.filter(isAlive);
  const waiting = countOf(overview.counts, "Queued").count;
  const running = countOf(overview.counts, "Running").count;
  if (alive.length === 0) return nobodyThere(overview.workers, waiting);
  const unserved = (overview.schedules ?? []).filter((schedule) => !isServed(schedule, alive));
  if (unserved.length > 0) return nobodyFor(unserved);
  if (silent.length > 0) {
    const kinds = [...new Set(silent.map(({ item }) => (item ? kindName(item.kind) : "Work")))].join(", ");
    const text = `${kinds}: no sign of life from its Worker. If that lasts, another attempt begins by itself.`;
    return { look: "care", title: `${count(silent.length, "item")} silent.`, text, item: silent[0].id };
  }
  const overdue = (overview.schedules ?? []).filter((schedule) => schedule.isOverdue);
  if (overdue.length > 0) {
    const text = `${kindName(overdue[0].kind)} of ${scopeName(overdue[0].storageConfigId)} should have begun by itself. What does the Worker's log say?`;
    return { look: "care", title: `${count(overdue.length, "schedule")} overdue.`, text };
  }
  const failed = (overview.schedules ?? []).filter((schedule) => schedule.lastRun?.status === "Failed" && !schedule.currentRun);
  const heldBack = (overview.schedules ?? []).filter((schedule) => overview.outcomes.heldBack(schedule) > 0 && !schedule.currentRun);
  if (failed.length > 0) return failedLastTime(failed, heldBack);
  if (heldBack.length > 0) return heldBackLastTime(heldBack, overview.outcomes);
  const title = running ? "Working." : waiting ? "Work waits." : "All quiet.";
  return { look: "good", title, text: doing(alive, running, waiting, overview.schedules) };
}

function nobodyThere(workers, waiting) {
  const word = workers[0]?.life === "stopped" ? "stopped" : "was seen";
  const since = workers.length > 0 ? `The last one ${word} ${span(between(workers[0].seenAt))} ago.` : "None was ever seen.";
  const wait = waiting > 0 ? ` ${count(waiting, "item")} ${waiting === 1 ? "waits" : "wait"}.` : "";
  return { look: "bad", title: "No Worker is there.", text: `${since}${wait} Start one:`, command: "anichron worker" };
}

function isServed({ storageConfigId: id }, alive) {
  const owner = ownerOf(id);
  return owner === null || alive.some(({ userId }) => userId === null || userId === owner);
}

function nobodyFor(unserved) {
  const ids = [...new Set(unserved.map((schedule) => schedule.storageConfigId))];
  const more = ids.length > 1 ? ` and ${number(ids.length - 1)} more` : "";
  const text = `${scopeName(ids[0])}${more}: its work waits. Start a Worker for its owner, or one for everyone.`;
  return { look: "bad", title: `No Worker serves ${count(ids.length, "folder")}.`, text };
}

function failedLastTime([first, ...others], heldBack) {
  const more = others.length > 0 ? ` So did ${count(others.length, "other schedule")}.` : "";
  const besides = heldBack.length > 0 ? ` Besides, ${count(heldBack.length, "crawl")} ${heldBack.length === 1 ? "was" : "were"} held back.` : "";
  const text = `${kindName(first.kind)} of ${scopeName(first.storageConfigId)}.${more}${besides}`;
  return { look: "care", title: "Failed last time:", text, item: first.lastRun.workItemId };
}

function heldBackLastTime([first, ...others], outcomes) {
  const more = others.length > 0 ? ` So was ${count(others.length, "other folder")}.` : "";
  const text = `Most of ${scopeName(first.storageConfigId)} was missing: ${number(outcomes.heldBack(first))} pictures and videos. Nothing was taken away.${more}`;
  return { look: "care", title: "A crawl was held back.", text, item: first.lastRun.workItemId };
}

function doing(alive, running, waiting, schedules) {
  const quiet = alive.filter((worker) => worker.life === "quiet").length;
  const there = alive.length - quiet;
  const parts = [count(there, "Worker") + (there === 1 ? " is there" : " are there")];
  if (quiet) parts.push(`${number(quiet)} quiet for some seconds`);
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
