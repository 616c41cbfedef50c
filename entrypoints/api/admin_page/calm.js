// When the list has to hold still: rows don't move under a pointer or the keyboard's focus, and
// nothing changes while somebody selects.

const SETTLE_MS = 350;

export class Calm {
  #table;
  #isOver = false;
  #timer = null;

  /** `onFree()` is called when what was held may be shown. */
  constructor(table, hasSelection, onFree) {
    this.#table = table;
    this.hasSelection = hasSelection;
    this.onFree = onFree;
    table.addEventListener("pointerenter", (event) => this.#over(event.pointerType !== "touch"));
    table.addEventListener("pointerleave", () => this.#over(false));
    table.addEventListener("focusout", () => this.free());
    document.addEventListener("selectionchange", () => this.free());
  }

  /** Nothing may change: rows are selected, or text in the list is. */
  isFrozen() {
    return this.hasSelection() || this.#selectsText();
  }

  /** Rows may change in place, and must not move. */
  isSteady() {
    return this.#isOver || this.#table.querySelector(":focus-visible") !== null;
  }

  /** Perhaps it is over: look again in a moment. */
  free() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.onFree(), SETTLE_MS);
  }

  #over(isOver) {
    this.#isOver = isOver;
    if (!isOver) this.free();
  }

  #selectsText() {
    const selection = getSelection();
    return !selection.isCollapsed && this.#table.contains(selection.anchorNode);
  }
}
