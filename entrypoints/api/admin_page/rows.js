// One row of the list. It is made once and then only changed, so that it stays under the pointer.

import { duration, canCancel, isCancelling } from "./store.js";
import { span } from "./clock.js";
import { button, h, icon, show, write } from "./dom.js";
import { moment, point } from "./moments.js";
import { requester, scopeName, scopePath } from "./names.js";
import { progressParts, showProgress } from "./progress.js";
import { showStatus, statusChip } from "./status.js";
import { count, kindName } from "./words.js";

export const COLUMNS = ["Select", "Work", "Status", "Progress", "Requested", "Started", "Worker", "Action"];

/** A row for the item with this id. `act` has `open(id)`, `cancel(id)` and `select(id, isSelected)`. */
export class Row {
  constructor(item, store, act) {
    this.id = item.id;
    this.store = store;
    this.act = act;
    this.#build();
    this.update(item);
  }

  #build() {
    const { id, act } = this;
    this.check = h("input", { type: "checkbox", onChange: () => act.select(id, this.check.checked) });
    this.kind = h("button", { type: "button", class: "row-title", onClick: () => act.open(id) });
    this.scope = h("div", { class: "sub ellipsis" });
    this.chip = statusChip();
    this.remark = h("div", { class: "sub" });
    this.silence = h("div", { class: "sub silence" }, icon("warning"), h("span", {}));
    this.progress = progressParts();
    this.note = h("div", { class: "sub note ellipsis" });
    this.requested = moment();
    this.requester = h("div", { class: "sub ellipsis" });
    this.started = moment();
    this.duration = h("div", { class: "sub" });
    this.worker = h("span", { class: "ellipsis worker" });
    this.cancel = button("Cancel", () => act.cancel(id), { look: "small", drawing: "stop" });
    this.element = h(
      "tr",
      { class: "row", role: "row", data: { id } },
      cell("pick", this.check),
      cell("work", this.kind, this.scope),
      cell("status", this.chip, this.remark, this.silence),
      cell("progress-cell", this.progress.element, this.note),
      cell("requested", this.requested, this.requester),
      cell("started", this.started, this.duration),
      cell("worker-cell", this.worker),
      cell("action", this.cancel),
    );
  }

  /** Make the row tell this state of the item. */
  update(item) {
    this.item = item;
    const scope = scopeName(item.storageConfigId);
    write(this.kind, kindName(item.kind));
    this.kind.setAttribute("aria-label", `${kindName(item.kind)}, ${scope}, ${item.status}: details`);
    write(this.scope, scope);
    this.scope.title = scopePath(item.storageConfigId);
    this.element.dataset.status = item.status;
    showStatus(this.chip, item);
    write(this.remark, attempts(item));
    write(this.note, item.error ?? item.progress.note ?? "");
    this.note.classList.toggle("bad", item.status === "Failed");
    this.note.title = item.error ?? "";
    point(this.requested, item.requestedAt);
    write(this.requester, requester(item));
    point(this.started, item.startedAt);
    write(this.worker, item.claimedBy ?? "–");
    this.worker.title = item.claimedBy ?? "";
    this.#showActions(item);
    this.tick();
  }

  /** Bring what changes with time alone up to date. */
  tick() {
    const { item } = this;
    showProgress(this.progress, item, this.store.pace(item));
    const seconds = duration(item);
    write(this.duration, seconds === null ? "" : tookWords(item, seconds));
    write(this.silence.lastChild, silenceWords(item, this.store));
    show(this.silence, this.silence.lastChild.textContent !== "");
  }

  /** Whether the item still belongs to the filter; one that doesn't is shown pale until it goes. */
  setLeaving(isLeaving) {
    this.element.classList.toggle("leaving", isLeaving);
  }

  setSelected(isSelected) {
    this.check.checked = isSelected;
    this.element.classList.toggle("selected", isSelected);
  }

  #showActions(item) {
    const can = canCancel(item);
    show(this.cancel, can);
    this.element.classList.toggle("final", !can);
    this.cancel.setAttribute("aria-label", `Cancel ${kindName(item.kind)}`);
    this.check.disabled = !can && !this.check.checked;
    this.check.setAttribute("aria-label", `Select ${kindName(item.kind)}`);
  }
}

function cell(name, ...children) {
  return h("td", { class: name, role: "cell" }, ...children);
}

function attempts(item) {
  const parts = [];
  if (item.attempt > 1) parts.push(`attempt ${item.attempt}`);
  if (item.stalls > 0) parts.push(count(item.stalls, "stall"));
  return parts.join(" · ");
}

function tookWords(item, seconds) {
  if (item.status === "Running") return `for ${span(seconds)}`;
  return seconds < 1 ? "took under 1 s" : `took ${span(seconds)}`;
}

/** "silent for 20 s", and that it is given up; empty while the Worker beats. */
export function silenceWords(item, store) {
  if (store.isLost(item)) return "Worker lost, to be recovered";
  const silent = store.silentSeconds(item);
  if (silent === 0) return "";
  return `silent for ${span(silent)}${isCancelling(item) ? ", cannot hear the cancel" : ""}`;
}
