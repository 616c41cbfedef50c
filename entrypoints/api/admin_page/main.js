// Puts the page together: log-in, frame, views, and the stream that feeds them.

import { onChange, read } from "./address.js";
import { Refused } from "./api.js";
import { sync } from "./clock.js";
import { Detail } from "./detail.js";
import { wordsFor } from "./dialogs.js";
import { button, fill, h, icon } from "./dom.js";
import { FoldersView } from "./folders.js";
import { Live } from "./live.js";
import { loginView } from "./login.js";
import { tick } from "./moments.js";
import { load as loadNames } from "./names.js";
import { Overview } from "./overview.js";
import { PeopleView } from "./people.js";
import { QueueView } from "./queue.js";
import { SchedulesView } from "./schedules.js";
import { isLoggedIn, LoggedOut, logOut, whenEnded } from "./session.js";
import { shell } from "./shell.js";
import { Store } from "./store.js";
import { WorkersView } from "./workers.js";

const REASON = "anichron.reason";
// What is told where the page can't know how things are now.
const UNTRUE = {
  stale: "The API can't be reached.",
  mute: "The API hears nothing of its database.",
};
const app = document.getElementById("app");

function showLogin() {
  const reason = sessionStorage.getItem(REASON) ?? "";
  sessionStorage.removeItem(REASON);
  fill(app, loginView(start, reason));
}

/** Begin anew with the log-in: nothing of what was shown goes on behind it. */
function endSession() {
  sessionStorage.setItem(REASON, "Your log-in has ended. Log in again.");
  location.reload();
}

async function leave() {
  await logOut();
  location.assign("/admin/");
}

async function start() {
  if (!isLoggedIn()) return showLogin();
  fill(app, h("p", { class: "loading soft" }, "Reading the queue…"));
  try {
    await open();
  } catch (error) {
    if (error instanceof LoggedOut) return endSession();
    explain(error);
  }
}

function explain(error) {
  const isForbidden = error instanceof Refused && error.status === 403;
  const title = isForbidden ? "This page is for admins" : "The page could not be filled";
  const text = isForbidden ? "You are logged in, but not as an admin." : wordsFor(error);
  const again = isForbidden ? button("Log in as somebody else", leave) : button("Try again", start, { look: "primary" });
  // An address of long ago may ask for what is not there any more.
  const plain = location.search && !isForbidden && button("Show everything", () => location.assign("/admin/"));
  fill(app, h("main", { class: "login" }, h("div", { class: "login-card card stack", role: "alert" }, icon("warning", "big"), h("h1", {}, title), h("p", { class: "soft" }, text), again, plain)));
}

async function open() {
  await loadNames();
  const store = new Store();
  const overview = new Overview();
  const queue = new QueueView(store, overview);
  const frame = shell(leave);
  const views = {
    queue,
    schedules: new SchedulesView(overview),
    workers: new WorkersView(overview, store),
    folders: new FoldersView(),
    people: new PeopleView(),
  };
  const cursor = await queue.load();
  fill(app, frame.element);
  const take = (item) => {
    queue.take(item);
    detail.changed(item.id);
  };
  const detail = new Detail(store, take);
  follow(frame, views, detail);
  overview.start();
  queue.prepare().catch(() => null);
  listen(cursor, { frame, queue, store, detail, take, overview });
  setInterval(() => document.hidden || tick(frame.element), 1000);
}

/** Show what the address says, now and whenever it changes. */
function follow(frame, views, detail) {
  let shown = filterOf(read());
  const show = (address) => {
    const name = views[address.view] ? address.view : "queue";
    frame.show(views[name].element);
    if (name === "queue" && filterOf(address) !== shown) views.queue.load().catch(() => null);
    if (name === "queue") shown = filterOf(address);
    if (name === "folders" || name === "people") views[name].load();
    detail.follow(address.item);
  };
  onChange(show);
  show(read());
}

function filterOf({ status, kind, scope }) {
  return JSON.stringify([status, kind, scope]);
}

function listen(cursor, { frame, queue, store, detail, take, overview }) {
  const handlers = {
    "work-item": take,
    "work-item-removed": ({ id }) => {
      queue.remove(id);
      detail.changed(id);
    },
    leases: ({ leases, serverTime }) => {
      sync(serverTime);
      store.setLeases(leases, serverTime);
    },
    reset: () => queue.load().catch(() => null),
  };
  const live = new Live(cursor, {
    onEvent: (name, content) => handlers[name]?.(content),
    onState: (state) => {
      frame.tellState(state);
      queue.setUntrue(UNTRUE[state] ?? null);
      if (state === "live") overview.refresh();
    },
    onLoggedOut: endSession,
  });
  live.start();
}

whenEnded(endSession);
start();
