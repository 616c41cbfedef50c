// The log-in.

import { fill, h, icon, show } from "./dom.js";
import { field } from "./dialogs.js";
import { logIn } from "./session.js";

/** The form; `onDone()` after a log-in. `reason`: why somebody sees it again. */
export function loginView(onDone, reason = "") {
  const name = h("input", { class: "input", name: "username", autocomplete: "username", required: true, spellcheck: "false", autocapitalize: "none" });
  const password = h("input", { class: "input", name: "password", type: "password", autocomplete: "current-password", required: true });
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const submit = h("button", { type: "submit", class: "button primary wide" }, "Log in");
  const form = h(
    "form",
    { class: "stack" },
    reason && h("p", { class: "soft small" }, reason),
    field("Name or e-mail", name),
    field("Password", password),
    problem,
    submit,
    h("p", { class: "soft small" }, "The first time, the user is admin, and the password is in the file that “make run” named when it was ready."),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const fault = await tryLogIn(name.value, password.value);
    submit.disabled = false;
    if (fault === null) {
      onDone();
      return;
    }
    fill(problem, icon("failed"), h("span", {}, fault));
    show(problem, true);
    password.select();
  });
  queueMicrotask(() => name.focus());
  return h("main", { class: "login" }, h("div", { class: "login-card card" }, h("div", { class: "brand big" }, icon("brand"), h("h1", {}, "Anichron")), form));
}

async function tryLogIn(name, password) {
  try {
    const problem = await logIn(name, password);
    return problem && words(problem);
  } catch {
    return "The server can't be reached. Is it running?";
  }
}

function words(problem) {
  if (problem.status === 401) return "That name and password don't belong together.";
  if (problem.status === 429) return `Too many tries. Wait ${problem.retryAfter} s and try again.`;
  return problem.detail;
}
