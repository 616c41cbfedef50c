// Which rows are selected, and the bar that says what can be done with them.

import { button, h, show, write } from "./dom.js";
import { count } from "./words.js";

export class Selection {
  #ids = new Set();
  #onChange;

  /** `onChange()` after each change; `onCancel(ids)` when the selected ones shall be cancelled. */
  constructor(onChange, onCancel) {
    this.#onChange = onChange;
    this.words = h("strong", {});
    this.held = h("span", { class: "soft" });
    this.cancel = button("Cancel items", () => onCancel([...this.#ids]), { look: "small danger", drawing: "stop" });
    const clear = button("Clear", () => this.clear(), { look: "small bare" });
    this.element = h("div", { class: "bulk", role: "region", aria: { label: "Selected items" }, hidden: true }, this.words, this.held, this.cancel, clear);
  }

  get size() {
    return this.#ids.size;
  }

  has(id) {
    return this.#ids.has(id);
  }

  set(id, isSelected) {
    if (isSelected) this.#ids.add(id);
    else this.#ids.delete(id);
    this.#changed();
  }

  setAll(ids, isSelected) {
    for (const id of ids) {
      if (isSelected) this.#ids.add(id);
      else this.#ids.delete(id);
    }
    this.#changed();
  }

  clear() {
    if (this.#ids.size === 0) return;
    this.#ids.clear();
    this.#changed();
  }

  /** Say how many updates wait until the selection is over. */
  showHeld(many) {
    write(this.held, many > 0 ? `The list is paused while you select; ${count(many, "update")} waiting.` : "The list is paused while you select.");
  }

  #changed() {
    show(this.element, this.#ids.size > 0);
    write(this.words, `${count(this.#ids.size, "item")} selected`);
    write(this.cancel.lastChild, `Cancel ${count(this.#ids.size, "item")}`);
    this.showHeld(0);
    this.#onChange();
  }
}
