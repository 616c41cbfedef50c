// What is known of the work items: the newest state of each, who is silent, how fast they move.

import { between, now } from "./clock.js";
import { Pace } from "./pace.js";
import { FINISHED } from "./words.js";

const REMEMBERED = 3_000;
const SILENT_SECONDS = 10;

export class Store {
  #items = new Map();
  #removed = new Set();
  #paces = new Map();
  #leases = new Map();
  #leaseSeconds = 0;

  /** The item as it is known. */
  get(id) {
    return this.#items.get(id);
  }

  isRemoved(id) {
    return this.#removed.has(id);
  }

  /** Take an item in; false where a newer state of it is known already. */
  put(item) {
    const known = this.#items.get(item.id);
    if (known && isLater(known.updatedAt, item.updatedAt)) return false;
    this.#items.delete(item.id);
    this.#items.set(item.id, item);
    this.#paceOf(item.id).note(item);
    if (FINISHED.has(item.status)) this.#leases.delete(item.id);
    if (this.#items.size > REMEMBERED) this.#forgetOldest();
    return true;
  }

  remove(id) {
    this.#items.delete(id);
    this.#paces.delete(id);
    this.#removed.add(id);
  }

  /** The leases of all running items, at the database's time `serverTime`. */
  setLeases(leases, serverTime) {
    this.#leases = new Map(Object.entries(leases));
    const at = Date.parse(serverTime);
    for (const until of this.#leases.values()) {
      this.#leaseSeconds = Math.max(this.#leaseSeconds, (Date.parse(until) - at) / 1000);
    }
  }

  pace(id) {
    return this.#paceOf(id);
  }

  /** How many seconds a running item's Worker has been silent; 0: it has not been. */
  silentSeconds(item) {
    if (item.status !== "Running") return 0;
    const until = this.#leases.get(item.id) ?? item.leaseUntil;
    // A lease is as long as the longest that was seen; it began with the last sign of life.
    const silent = this.#leaseSeconds - (Date.parse(until) - now()) / 1000;
    return silent >= SILENT_SECONDS ? silent : 0;
  }

  /** Whether the Worker is not believed alive any more. */
  isLost(item) {
    const until = this.#leases.get(item.id) ?? item.leaseUntil;
    return item.status === "Running" && until !== null && Date.parse(until) < now();
  }

  /** The running items whose Worker is silent. */
  silent() {
    return [...this.#leases.keys()]
      .map((id) => this.#items.get(id))
      .filter((item) => item && this.silentSeconds(item) > 0);
  }

  #paceOf(id) {
    if (!this.#paces.has(id)) this.#paces.set(id, new Pace());
    return this.#paces.get(id);
  }

  #forgetOldest() {
    const oldest = this.#items.keys().next().value;
    this.#items.delete(oldest);
    this.#paces.delete(oldest);
  }
}

/** Whether one instant is later than another, to the microsecond, which a Date does not hold. */
function isLater(one, other) {
  const [ours, theirs] = [Date.parse(one), Date.parse(other)];
  return ours === theirs ? one > other : ours > theirs;
}

/** Seconds that the newest attempt has taken, or took; null before it began. */
export function duration(item) {
  return item.startedAt ? between(item.startedAt, item.finishedAt) : null;
}

/** Whether somebody asked to stop it and it has not ended yet. */
export function isCancelling(item) {
  return item.status === "Running" && item.cancelRequestedAt !== null;
}

/** Whether a request to cancel would do anything. */
export function canCancel(item) {
  return item.status === "Queued" || (item.status === "Running" && !isCancelling(item));
}
