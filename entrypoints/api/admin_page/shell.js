// The frame around the views: where one is, how the connection is, who is logged in.

import { go, read } from "./address.js";
import { button, fill, h, icon, write } from "./dom.js";
import { userName } from "./session.js";

const VIEWS = [
  [null, "Queue", "list"],
  ["schedules", "Schedules", "repeat"],
  ["workers", "Workers", "worker"],
  ["folders", "Folders", "folder"],
  ["people", "People", "person"],
];
const STATES = {
  connecting: ["care", "Connecting…", "The list is read; live updates are about to come."],
  live: ["good", "Live", "What you see is what is."],
  mute: ["bad", "Not live", "The API hears nothing of its database. What you see may be old; it goes on by itself."],
  reconnecting: ["care", "Reconnecting…", "The connection was lost a moment ago."],
  stale: ["bad", "Not live", "The API can't be reached. What you see may be old; it goes on by itself."],
};

/** The frame; `show(view)` puts a view in, `tellState(state)` shows how the connection is. */
export function shell(onLogOut) {
  const links = VIEWS.map(([view, words, drawing]) => {
    const href = view ? `?view=${view}` : "?";
    const link = h("a", { class: "nav-link", href }, icon(drawing), h("span", {}, words));
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      go({ view, item: null });
    });
    return { view, link };
  });
  const words = h("span", {});
  const pill = h("div", { class: "pill", role: "status" }, h("span", { class: "dot", aria: { hidden: "true" } }), words);
  const nav = h("nav", { class: "nav", aria: { label: "Views" } }, links.map(({ link }) => link));
  const out = button("Log out", onLogOut, { look: "small bare" });
  const who = h("span", { class: "who soft small" }, userName());
  const head = h("header", { class: "top" }, h("div", { class: "brand" }, icon("brand"), h("span", {}, "Anichron")), nav, h("div", { class: "top-end" }, pill, who, out));
  const main = h("main", { id: "main", class: "main", tabindex: "-1" });
  const element = h("div", { class: "shell" }, h("a", { class: "skip", href: "#main" }, "Skip to the content"), head, main);
  return {
    element,
    show(view) {
      for (const { view: mine, link } of links) {
        if (mine === read().view) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
      if (main.firstElementChild !== view) fill(main, view);
    },
    tellState(state) {
      const [look, text, hint] = STATES[state];
      pill.dataset.look = look;
      pill.title = hint;
      write(words, text);
      element.dataset.connection = state;
    },
  };
}
