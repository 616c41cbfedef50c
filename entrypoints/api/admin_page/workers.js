// Who is there to work, whom each serves, and what it does.

import { go } from "./address.js";
import { h, icon } from "./dom.js";
import { moment } from "./moments.js";
import { userName } from "./names.js";
import { panel } from "./panel.js";
import { isAlive } from "./verdict.js";
import { kindName } from "./words.js";

const LOOKS = {
  there: ["succeeded", "succeeded"],
  quiet: ["queued", "queued"],
  gone: ["failed", "failed"],
  stopped: ["cancelled", "cancelled"],
};

export class WorkersView {
  constructor(overview, store) {
    this.store = store;
    this.panel = panel({
      title: "Workers",
      hint: "Each says that it is there every few seconds. Those long gone are forgotten in time.",
      columns: ["Worker", "Serves", "Doing", "Last sign of life", "Release"],
      empty: { drawing: "worker", title: "No Worker was ever seen", text: "Start one with: anichron worker" },
    });
    this.element = this.panel.element;
    this.overview = overview;
    overview.onChange(() => this.show());
  }

  show() {
    const { workers } = this.overview;
    if (workers === null) return;
    this.panel.rows(workers.map((worker) => this.#cells(worker)));
  }

  #cells(worker) {
    return [
      [h("div", { class: "strong" }, worker.name), h("div", { class: "sub" }, "started ", moment(worker.startedAt))],
      worker.userId === null ? "everyone" : userName(worker.userId),
      isAlive(worker) ? this.#doing(worker) : h("span", { class: "soft" }, "–"),
      sign(worker),
      worker.version,
    ];
  }

  #doing(worker) {
    if (worker.workItemId === null) return h("span", { class: "soft" }, "waiting for work");
    const item = this.store.get(worker.workItemId);
    const words = item ? kindName(item.kind) : "an item";
    return h("button", { type: "button", class: "link", onClick: () => go({ item: worker.workItemId }) }, words);
  }
}

function sign(worker) {
  const [look, drawing] = LOOKS[worker.life];
  return [h("span", { class: "chip", data: { look } }, icon(drawing), h("span", {}, worker.life)), h("div", { class: "sub" }, moment(worker.seenAt))];
}
