// Times that stay true while they are looked at: "12 s ago", with the exact time on hover.

import { exact, relative } from "./clock.js";
import { h, write } from "./dom.js";

/** A time element; `update` changes which instant it tells. */
export function moment(instant = null) {
  const element = h("time", {});
  point(element, instant);
  return element;
}

/** Make the element tell another instant; null: none. */
export function point(element, instant) {
  if (!instant) {
    element.removeAttribute("datetime");
    element.removeAttribute("title");
    write(element, "–");
    return;
  }
  if (element.getAttribute("datetime") !== instant) {
    element.setAttribute("datetime", instant);
    element.title = exact(instant);
  }
  write(element, relative(instant));
}

/** Bring every time on the page up to date. */
export function tick(root = document) {
  for (const element of root.querySelectorAll("time[datetime]")) {
    write(element, relative(element.getAttribute("datetime")));
  }
}
