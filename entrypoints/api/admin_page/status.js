// A status as drawing, word and colour.

import { fill, h, icon } from "./dom.js";
import { isCancelling } from "./store.js";

/** An empty chip, to be shown with `showStatus`. */
export function statusChip() {
  return h("span", { class: "chip" });
}

/** Make the chip tell the item's status. */
export function showStatus(chip, item) {
  const look = isCancelling(item) ? "cancelling" : item.status.toLowerCase();
  if (chip.dataset.look === look) return;
  chip.dataset.look = look;
  const word = look === "cancelling" ? "Cancelling…" : item.status;
  fill(chip, icon(look === "cancelling" ? "running" : look), h("span", {}, word));
}

/** A chip for a bare status, which does not change. */
export function plainChip(status) {
  const chip = statusChip();
  showStatus(chip, { status, cancelRequestedAt: null });
  return chip;
}
