// What is done again and again: the last run, how it ended, and when the next is due.

import { go } from "./address.js";
import { span } from "./clock.js";
import { h, icon } from "./dom.js";
import { moment } from "./moments.js";
import { scopeName, scopePath } from "./names.js";
import { panel } from "./panel.js";
import { plainChip } from "./status.js";
import { kindName } from "./words.js";

export class SchedulesView {
  constructor(overview) {
    this.panel = panel({
      title: "Schedules",
      hint: "Each is due an interval after its last run ended, however it ended. Workers look every few seconds.",
      columns: ["Work", "Every", "Last run", "Next"],
      empty: { drawing: "repeat", title: "No schedules", text: "They could not be read yet." },
    });
    this.element = this.panel.element;
    this.overview = overview;
    overview.onChange(() => this.show());
  }

  show() {
    const { schedules } = this.overview;
    if (schedules === null) return;
    const told = JSON.stringify(schedules);
    if (told === this.told) return;
    this.told = told;
    this.panel.rows(schedules.map((schedule) => [what(schedule), span(schedule.intervalSeconds), last(schedule), next(schedule)]));
  }
}

function what(schedule) {
  const scope = h("div", { class: "sub", title: scopePath(schedule.storageConfigId) }, scopeName(schedule.storageConfigId));
  return [h("div", { class: "strong" }, kindName(schedule.kind)), scope];
}

function last({ lastRun }) {
  if (lastRun === null) return h("span", { class: "soft" }, "never yet");
  return [opener(lastRun), h("div", { class: "sub" }, moment(lastRun.finishedAt))];
}

function next(schedule) {
  if (schedule.currentRun) return opener(schedule.currentRun);
  const due = moment(schedule.nextDueAt);
  if (!schedule.isOverdue) return due;
  return h("span", { class: "silence" }, icon("warning"), h("span", {}, schedule.lastRun ? ["overdue, was due ", due] : "due, and not begun"));
}

function opener(run) {
  const label = `${run.status}: open the item`;
  return h("button", { type: "button", class: "chip-button", aria: { label }, onClick: () => go({ item: run.workItemId }) }, plainChip(run.status));
}
