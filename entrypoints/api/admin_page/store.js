// What is known of the work items: the newest state of each, who is silent, how fast they move.

import { between } from "./clock.js";
import { Pace } from "./pace.js";
import { FINISHED } from "./words.js";

const REMEMBERED = 20_000;
const SILENT_SECONDS = 10;

export class Store {
  #items = new Map();
  #removed = new Set();
  #paces = new Map();
  #leases = new Map();
  #leasesAt = 0;
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
    this.#leasesAt = Date.parse(serverTime);
    for (const id of this.#leases.keys()) {
      this.#leaseSeconds = Math.max(this.#leaseSeconds, this.#secondsLeft(id));
    }
  }

  pace(id) {
    return this.#paceOf(id);
  }

  /** How many seconds a running item's Worker has been silent; 0: it has not been. */
  silentSeconds(item) {
    if (item.status !== "Running" || !this.#leases.has(item.id)) return 0;
    // A lease is as long as the longest that was seen; it began with the last sign of life.
    const silent = this.#leaseSeconds - this.#secondsLeft(item.id);
    return silent >= SILENT_SECONDS ? silent : 0;
  }

  /** Whether the Worker is not believed alive any more. */
  isLost(item) {
    return item.status === "Running" && this.#leases.has(item.id) && this.#secondsLeft(item.id) < 0;
  }

  /** The running items whose Worker is silent. */
  silent() {
    return [...this.#leases.keys()]
      .map((id) => this.#items.get(id))
      .filter((item) => item && this.silentSeconds(item) > 0);
  }

  /** What was left of a lease when the leases were last told: while nobody tells, nobody is silent. */
  #secondsLeft(id) {
    return (Date.parse(this.#leases.get(id)) - this.#leasesAt) / 1000;
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
