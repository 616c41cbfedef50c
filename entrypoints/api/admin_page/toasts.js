// Short words about what just happened, shown for a while and told to screen readers.

import { h, icon } from "./dom.js";

const SHOWN_MS = 7_000;
const PAUSE_MS = 1_500;
let waiting = [];
let timer = null;

/** Show a message; `look` is "good", "bad" or "". */
export function toast(words, look = "") {
  const drawing = { good: "succeeded", bad: "failed" }[look] ?? "queued";
  const close = h("button", { type: "button", class: "toast-close", aria: { label: "Dismiss" } }, icon("close"));
  const element = h("div", { class: `toast ${look}` }, icon(drawing), h("span", {}, words), close);
  const remove = () => element.remove();
  close.addEventListener("click", remove);
  document.getElementById("toasts").append(element);
  setTimeout(remove, SHOWN_MS);
  say(words);
}

/** Tell screen readers, a few things at a time at most. */
export function say(words) {
  waiting.push(words);
  timer ??= setTimeout(speak, 100);
}

function speak() {
  document.getElementById("said").textContent = waiting.slice(-3).join(" ");
  waiting = [];
  timer = setTimeout(() => {
    timer = null;
    if (waiting.length > 0) speak();
  }, PAUSE_MS);
}
