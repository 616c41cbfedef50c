// The statuses as tabs, with how many items there are under the filter.

import { countOf } from "./overview.js";
import { h, icon, write } from "./dom.js";
import { bounded, STATUSES } from "./words.js";

/** `onChoose(status)`; null is "All". */
export function tabs(onChoose) {
  const entries = [null, ...STATUSES].map((status) => tab(status, onChoose));
  const element = h(
    "div",
    { class: "tabs", role: "group", aria: { label: "Status" } },
    entries.map((entry) => entry.element),
  );
  return {
    element,
    /** Show which is chosen, and the counts. */
    update({ status: chosen = null, kind = null }, counts) {
      for (const entry of entries) {
        entry.element.setAttribute("aria-pressed", String(entry.status === chosen));
        const counted = countOf(counts, entry.status, kind);
        write(entry.number, counted ? bounded(counted.count, counted.isCapped) : "");
      }
    },
  };
}

function tab(status, onChoose) {
  const number = h("span", { class: "tab-count" });
  const element = h(
    "button",
    { type: "button", class: "tab", data: { status: status ?? "all" }, onClick: () => onChoose(status) },
    status && icon(status.toLowerCase()),
    h("span", {}, status ?? "All"),
    number,
  );
  return { status, element, number };
}
