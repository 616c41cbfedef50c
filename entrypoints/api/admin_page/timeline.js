// What the row knows of an item's life, in its order.

import { between, span } from "./clock.js";
import { h } from "./dom.js";
import { moment } from "./moments.js";
import { requester } from "./names.js";
import { count } from "./words.js";

/** The steps as a list. */
export function timeline(item) {
  return h("ol", { class: "timeline" }, steps(item).map(step));
}

function steps(item) {
  const found = [{ at: item.requestedAt, title: "Requested", text: requester(item) }];
  if (item.stalls > 0) {
    found.push({ at: null, title: `Stalled ${count(item.stalls, "time")}${item.finishedAt ? "" : " so far"}`, text: "a Worker went silent or died", look: "care" });
  }
  if (item.startedAt) found.push({ at: item.startedAt, title: claimTitle(item), text: item.claimedBy ?? "" });
  if (item.cancelRequestedAt) {
    found.push({ at: item.cancelRequestedAt, title: "Asked to stop", text: item.finishedAt ? "" : "until the Worker has heard it", look: "care" });
  }
  if (item.finishedAt) found.push({ at: item.finishedAt, title: item.status, text: tookWords(item), look: item.status.toLowerCase() });
  return found;
}

function claimTitle(item) {
  return item.attempt > 1 ? `Last claimed, attempt ${item.attempt}` : "Claimed";
}

function tookWords(item) {
  if (!item.startedAt) return "before it began";
  const seconds = between(item.startedAt, item.finishedAt);
  return seconds < 1 ? "within a second" : `after ${span(seconds)}`;
}

function step({ at, title, text, look = "" }) {
  return h("li", { class: `step ${look}` }, h("strong", {}, title), h("span", { class: "soft" }, text), at ? moment(at) : null);
}
