// One item in full, at the side of the list; it goes on changing while it is open.

import { call, Refused } from "./api.js";
import { go } from "./address.js";
import { cancelOne } from "./cancel.js";
import { wordsFor } from "./dialogs.js";
import { button, fill, h, icon, show, write } from "./dom.js";
import { hintFor } from "./hints.js";
import { scopeName, scopePath } from "./names.js";
import { progressParts, showProgress } from "./progress.js";
import { resultTable } from "./result.js";
import { silenceWords } from "./rows.js";
import { plainChip, showStatus, statusChip } from "./status.js";
import { canCancel } from "./store.js";
import { timeline } from "./timeline.js";
import { toast } from "./toasts.js";
import { kindName } from "./words.js";

export class Detail {
  #id = null;
  #told = "";
  #whole = null;

  /** `take(item)` gets every state of an item that is read here. */
  constructor(store, take) {
    this.store = store;
    this.take = take;
    this.#build();
    setInterval(() => this.#id && this.#tick(), 1000);
  }

  /** Open the item that the address names, or close. */
  async follow(id) {
    if (id === this.#id) return;
    this.#id = id;
    this.#told = "";
    this.#whole = null;
    if (id === null) {
      this.dialog.close();
      return;
    }
    fill(this.body, h("p", { class: "soft" }, "Reading…"));
    this.#head(this.store.get(id));
    if (!this.dialog.open) this.dialog.showModal();
    this.#render();
    await this.#read();
  }

  /** The item is something else now. */
  changed(id) {
    if (id !== this.#id) return;
    const item = this.store.get(id);
    if (!item) this.#explainGone();
    else if (item.finishedAt && !this.#whole?.finishedAt) this.#read();
    else this.#render();
  }

  #build() {
    this.title = h("h2", { id: "detail-title" });
    this.scope = h("p", { class: "soft small" });
    this.chip = statusChip();
    const close = button("Close", () => this.dialog.close(), { look: "bare icon-only", drawing: "close" });
    close.lastChild.className = "unseen";
    const head = h("header", { class: "drawer-head" }, h("div", {}, this.title, this.scope), close);
    this.progress = progressParts();
    this.note = h("p", { class: "soft small" });
    this.silence = h("p", { class: "silence" }, icon("warning"), h("span", {}));
    this.cancel = button("Cancel", () => cancelOne(this.store.get(this.#id), this.take), { drawing: "stop" });
    this.link = button("Copy link", () => copy(location.href, "The link is copied."), { look: "bare", drawing: "copy" });
    const actions = h("div", { class: "drawer-actions" }, this.chip, this.cancel, this.link);
    this.body = h("div", { class: "stack" });
    const content = h("div", { class: "drawer-body" }, actions, this.silence, this.progress.element, this.note, this.body);
    this.dialog = h("dialog", { class: "drawer", aria: { labelledby: "detail-title" } }, head, content);
    this.dialog.addEventListener("close", () => this.#id !== null && go({ item: null }));
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    document.body.append(this.dialog);
  }

  async #read() {
    const id = this.#id;
    try {
      const item = await call("GET", `work-items/${id}`);
      if (id !== this.#id) return;
      this.#whole = item;
      this.take(item);
      this.#render();
    } catch (error) {
      if (id !== this.#id) return;
      if (error instanceof Refused && error.status === 404) this.#explainGone();
      else fill(this.body, h("p", { class: "problem" }, icon("failed"), wordsFor(error)), button("Try again", () => this.#read(), { look: "small" }));
    }
  }

  #explainGone() {
    show(this.cancel, false);
    this.#told = "";
    fill(this.body, h("p", { class: "problem" }, icon("failed"), "This item does not exist any more: its folder was removed, or it was too old to be kept."));
  }

  #head(item) {
    write(this.title, item ? kindName(item.kind) : "Work item");
    write(this.scope, item ? scopeName(item.storageConfigId) : "");
  }

  #render() {
    const item = this.store.get(this.#id);
    if (!item) return;
    this.#head(item);
    showStatus(this.chip, item);
    show(this.cancel, canCancel(item));
    write(this.note, item.progress.note ?? "");
    this.#tick();
    const told = JSON.stringify({ ...item, progress: null, leaseUntil: null, updatedAt: null }) + Boolean(this.#whole?.finishedAt);
    if (told === this.#told) return;
    this.#told = told;
    fill(this.body, section("Timeline", timeline(item)), ...outcome(this.#whole?.finishedAt ? this.#whole : item), section("Facts", facts(item)));
  }

  #tick() {
    const item = this.store.get(this.#id);
    if (!item) return;
    showProgress(this.progress, item, this.store.pace(item));
    const words = silenceWords(item, this.store);
    write(this.silence.lastChild, words);
    show(this.silence, words !== "");
  }
}

function outcome(item) {
  const parts = [];
  if (item.result) {
    const title = item.resultIsPartial ? ["Result ", h("span", { class: "chip plain partial" }, "partial")] : "Result";
    parts.push(section(title, resultTable(item.result)));
  } else if (item.resultOmitted) parts.push(section("Result", h("p", { class: "soft" }, "Large; being read…")));
  const hint = hintFor(item);
  if (hint) parts.unshift(h("p", { class: "hint" }, icon("warning"), h("span", {}, hint)));
  if (item.error) {
    const copyButton = button("Copy", () => copy(item.error, "The error is copied."), { look: "small", drawing: "copy" });
    const text = h("pre", { class: "error-text", tabindex: "0", aria: { label: "Error" } }, item.error);
    parts.push(section(["Error ", copyButton], text));
  }
  return parts;
}

function section(title, content) {
  return h("section", { class: "part" }, h("h3", {}, title), content);
}

function facts(item) {
  const rows = [
    ["Item", h("span", { class: "mono" }, item.id)],
    ["Folder", scopePath(item.storageConfigId) || "whole installation"],
    ["Status", plainChip(item.status)],
    ["Attempts", String(item.attempt)],
    ["Stalls", String(item.stalls)],
    ["Worker", item.claimedBy ?? "–"],
  ];
  return h("dl", { class: "facts" }, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

async function copy(text, words) {
  try {
    await navigator.clipboard.writeText(text);
    toast(words, "good");
  } catch {
    toast("The browser does not allow copying here; select the text instead.", "bad");
  }
}
