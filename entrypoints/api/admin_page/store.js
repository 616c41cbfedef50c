// What is known of the work items: the newest state of each, who is silent, how fast they move.

import { between } from "./clock.js";
import { Pace } from "./pace.js";
import { Leases } from "./silence.js";
import { FINISHED } from "./words.js";

const REMEMBERED = 20_000;

export class Store {
  #items = new Map();
  #removed = new Set();
  #paces = new Map();
  #leases = new Leases();
  // The database's time when the stream last told how things are; while it doesn't, time stands still.
  #toldAt = 0;

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
    if (FINISHED.has(item.status)) this.#leases.forget(item.id);
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
    this.#toldAt = Date.parse(serverTime);
    this.#leases.set(leases, serverTime, (id) => this.#items.get(id)?.attempt ?? null);
  }

  /**
   * How fast a running item moves: `{perSecond, secondsLeft}`, each null where it can't be told.
   * A silent Worker has no pace.
   */
  pace(item) {
    if (item.status !== "Running" || this.silentSeconds(item) > 0) return { perSecond: null, secondsLeft: null };
    const pace = this.#paceOf(item.id);
    return { perSecond: pace.perSecond(this.#toldAt), secondsLeft: pace.secondsLeft(item.progress.total, this.#toldAt) };
  }

  /** How many seconds a running item's Worker has been silent; 0: it has not been. */
  silentSeconds(item) {
    return item.status === "Running" ? this.#leases.silentSeconds(item.id) : 0;
  }

  /** Whether the Worker is not believed alive any more. */
  isLost(item) {
    return item.status === "Running" && this.#leases.isLost(item.id);
  }

  /** The items whose Worker is silent, `{id, item}`; the item is null where it is not known here. */
  silent() {
    return this.#leases
      .ids()
      .filter((id) => this.#leases.silentSeconds(id) > 0)
      .map((id) => ({ id, item: this.#items.get(id) ?? null }));
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
