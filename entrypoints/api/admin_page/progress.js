// How far an item is: a bar, a count, a pace.

import { span } from "./clock.js";
import { h, show, write } from "./dom.js";
import { number, rate } from "./words.js";

/** The parts of one item's progress; `showProgress` fills them. */
export function progressParts() {
  const fillBar = h("span", { class: "fill" });
  const bar = h("div", { class: "bar", role: "progressbar" }, fillBar);
  const figures = h("span", { class: "figures" });
  const pace = h("span", { class: "pace soft" });
  const line = h("div", { class: "progress-line" }, figures, pace);
  const element = h("div", { class: "progress" }, bar, line);
  return { element, bar, fillBar, figures, pace };
}

/** Make the parts tell the item's progress, at the pace that the store knows. */
export function showProgress(parts, item, pace) {
  const { done, total } = item.progress;
  const runs = item.status === "Running";
  show(parts.element, runs || figures(item) !== "");
  show(parts.bar, runs);
  if (runs) showBar(parts, item);
  write(parts.figures, figures(item));
  write(parts.pace, paceWords(pace));
  parts.element.dataset.known = String(done !== null && total !== null);
}

function showBar({ bar, fillBar }, item) {
  const { done, total } = item.progress;
  const share = total ? Math.min(1, done / total) : null;
  bar.classList.toggle("indeterminate", share === null);
  bar.setAttribute("aria-label", "Progress");
  bar.setAttribute("aria-valuetext", figures(item));
  if (share === null) {
    bar.removeAttribute("aria-valuenow");
    fillBar.style.width = "";
    return;
  }
  bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
  fillBar.style.width = `${(share * 100).toFixed(2)}%`;
}

/** "320 of 1,200 · 26 %", "320 so far", "starting…". */
export function figures(item) {
  const { done, total } = item.progress;
  if (done === null) return item.status === "Running" ? "starting…" : "";
  if (total === null && item.status === "Running") return `${number(done)} so far`;
  if (total === null && done === 0) return "";
  // What was counted is not what was done where it broke off: a crawl counts what it finds first.
  if (total === null) return item.status === "Succeeded" ? `${number(done)} done` : `stopped at ${number(done)}`;
  if (item.status === "Succeeded" && done === total) return total ? `all ${number(total)}` : "nothing to do";
  const share = total ? ` · ${Math.floor((100 * done) / total)} %` : "";
  return `${number(done)} of ${number(total)}${share}`;
}

function paceWords({ perSecond, secondsLeft }) {
  if (perSecond === null) return "";
  return secondsLeft === null ? rate(perSecond) : `${rate(perSecond)} · ${span(secondsLeft)} left`;
}
