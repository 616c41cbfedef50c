// What the views beside the queue have in common: a heading, a table, an empty state.

import { fill, h, icon, show } from "./dom.js";

/** A card with a title and a table of these columns; `rows(list)` shows rows or the empty state. */
export function panel({ title, hint, columns, action = null, empty }) {
  const body = h("tbody", { role: "rowgroup" });
  const heads = columns.map((name) => h("th", { scope: "col", role: "columnheader" }, name || h("span", { class: "unseen" }, "Actions")));
  const table = h("table", { class: "plain", role: "table", aria: { label: title } }, h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads)), body);
  const nothing = h("div", { class: "empty", hidden: true }, icon(empty.drawing), h("h2", {}, empty.title), h("p", { class: "soft" }, empty.text));
  const head = h("header", { class: "view-head" }, h("div", {}, h("h1", {}, title), h("p", { class: "soft" }, hint)), action);
  const element = h("div", { class: "view" }, head, h("section", { class: "card", aria: { label: title } }, table, nothing));
  return {
    element,
    rows(list) {
      const focused = controls(body).indexOf(document.activeElement);
      fill(body, list.map((cells) => tableRow(columns, cells)));
      if (focused >= 0) controls(body)[focused]?.focus();
      show(table, list.length > 0);
      show(nothing, list.length === 0);
    },
  };
}

function controls(body) {
  return [...body.querySelectorAll("button")];
}

function tableRow(columns, cells) {
  return h("tr", { role: "row" }, cells.map((cell, at) => h("td", { role: "cell", data: { label: columns[at] } }, cell)));
}
