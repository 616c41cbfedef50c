// A result as a table of names and values.

import { h } from "./dom.js";
import { number, spaced } from "./words.js";

// The database keeps no order of names. What adds up stands together; what is not named here follows.
const ORDER = [
  ...["found", "ingested", "updated", "moved", "duplicate", "unchanged", "skipped", "failed", "notReached"],
  ...["missing", "restored", "heldBack", "outside", "byMediaType", "skippedByReason", "failedByReason"],
];

/** The table; nested parts are told as "files › ingested". */
export function resultTable(result) {
  const rows = [...flat(inOrder(result), [])];
  if (rows.length === 0) return h("p", { class: "soft" }, "The result is empty.");
  return h(
    "table",
    { class: "result" },
    h("tbody", {}, rows.map(([path, value]) => h("tr", {}, h("th", { scope: "row" }, path.map(spaced).join(" › ")), h("td", {}, shown(value))))),
  );
}

/** How many assets an item found missing and did not take away. */
export function heldBack(item) {
  return item.result?.heldBack ?? 0;
}

function inOrder(result) {
  const place = (name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return Object.fromEntries(Object.entries(result).sort(([one], [other]) => place(one) - place(other)));
}

function* flat(value, path) {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    for (const [name, part] of Object.entries(value)) yield* flat(part, [...path, name]);
    return;
  }
  yield [path, value];
}

function shown(value) {
  if (value === null) return "–";
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(shown).join(", ") || "none";
  return String(value);
}
