// Which running items' Workers are silent, from the leases that the stream tells.

const LEAST_SILENCE_SECONDS = 10;
const MISSED_BEATS = 2.5;
// As the settings have it where nobody changed them; the API tells what it was given.
let cadence = { heartbeatSeconds: 2, leaseSeconds: 60 };

/** Take over how often Workers beat, and for how long a beat is believed. */
export function setCadence(told) {
  cadence = told;
}

/** What was seen of the leases of all running items. */
export class Leases {
  #seen = new Map();

  /** The leases at the database's time `serverTime`. `attemptOf(id)`: of an item, where it is known. */
  set(leases, serverTime, attemptOf) {
    const at = Date.parse(serverTime);
    this.#seen = new Map(
      Object.entries(leases).map(([id, until]) => [id, this.#next(id, Date.parse(until), at, attemptOf(id))]),
    );
  }

  forget(id) {
    this.#seen.delete(id);
  }

  /** The ids of the running items. */
  ids() {
    return [...this.#seen.keys()];
  }

  /** For how many seconds an item's Worker has been silent; 0: it has not been. */
  silentSeconds(id) {
    const seen = this.#seen.get(id);
    if (!seen) return 0;
    // A Worker may have a lease of its own. After one beat it is known; before, what the API was given.
    const lease = seen.hasBeaten ? seen.longest : Math.max(seen.longest, cadence.leaseSeconds);
    const silent = lease - seen.left;
    return silent >= Math.max(LEAST_SILENCE_SECONDS, MISSED_BEATS * cadence.heartbeatSeconds) ? silent : 0;
  }

  /** Whether an item's Worker is not believed alive any more. */
  isLost(id) {
    const seen = this.#seen.get(id);
    return seen !== undefined && seen.left < 0;
  }

  /** What is left is of the moment when it was told: while nobody tells, nobody becomes silent. */
  #next(id, until, at, attempt) {
    const left = (until - at) / 1000;
    const before = this.#seen.get(id);
    if (!before || before.attempt !== attempt) return { until, left, attempt, longest: left, hasBeaten: false };
    const isBeat = until > before.until;
    const longest = isBeat && !before.hasBeaten ? left : Math.max(before.longest, left);
    return { until, left, attempt, longest, hasBeaten: before.hasBeaten || isBeat };
  }
}
