// Questions that stop everything else until they are answered.

import { Refused } from "./api.js";
import { button, fill, h, icon, show } from "./dom.js";
import { Unreachable } from "./session.js";

// What the API calls the fields of the forms.
const FIELDS = { name: "The name", email: "The e-mail address", password: "The password", rootPath: "The path", timeZone: "The time zone" };

/** Ask whether to go on; `consequences` are told as a list. True: yes. */
export function confirm({ title, text = "", consequences = [], action, dismiss = "Keep it", isDangerous = false }) {
  const look = isDangerous ? "primary danger" : "primary";
  return new Promise((resolve) => {
    const dialog = frame(title, [
      text && h("p", {}, text),
      consequences.length > 0 && h("ul", { class: "consequences" }, consequences.map((each) => h("li", {}, each))),
      h(
        "div",
        { class: "dialog-actions" },
        button(dismiss, () => dialog.close("no")),
        button(action, () => dialog.close("yes"), { look }),
      ),
    ]);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    dialog.showModal();
  });
}

/** Ask for values; `submit(values)` may refuse, and then says why in the form. */
export function form({ title, fields, action, submit }) {
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const confirmButton = h("button", { type: "submit", class: "button primary" }, action);
  const content = h(
    "form",
    { class: "stack" },
    fields,
    problem,
    h("div", { class: "dialog-actions" }, button("Not now", () => dialog.close()), confirmButton),
  );
  const dialog = frame(title, [content]);
  content.addEventListener("submit", async (event) => {
    event.preventDefault();
    confirmButton.disabled = true;
    const fault = await submit(new FormData(content)).then(() => null, wordsFor);
    confirmButton.disabled = false;
    if (fault === null) dialog.close();
    else fill(problem, icon("failed"), h("span", {}, fault));
    show(problem, fault !== null);
  });
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

/** A labelled input or select for a form. */
export function field(label, control, hint = "") {
  return h("label", { class: "field" }, h("span", {}, label), control, hint && h("small", {}, hint));
}

/** What to tell somebody of an error. */
export function wordsFor(error) {
  if (error instanceof Refused) {
    const faults = error.problem?.errors ?? [];
    return faults.length > 0 ? faults.map((each) => `${FIELDS[each.field] ?? each.field} ${each.message}`).join("; ") : error.message;
  }
  if (error instanceof Unreachable) return "The API can't be reached. Is it running?";
  return error.message;
}

function frame(title, children) {
  const heading = h("h2", { id: "dialog-title" }, title);
  const dialog = h("dialog", { class: "dialog", aria: { labelledby: "dialog-title" } }, heading, children);
  document.body.append(dialog);
  return dialog;
}
