// Reads counts, Workers and schedules now and then, for whoever shows them.

import { call } from "./api.js";
import { between } from "./clock.js";
import { Outcomes } from "./outcomes.js";
import { setCadence } from "./silence.js";

const EVERY_MS = 5_000;
const COUNTS_PAUSE_MS = 2_000;
const GONE_SECONDS = 30;
const QUIET_SECONDS = 10;
const MISSED_POLLS = 3;

/** `onChange()` is called whenever something new was read; `onError(error)` when nothing could be. */
export class Overview {
  workers = null;
  schedules = null;
  counts = null;
  outcomes = new Outcomes();
  #filter = {};
  #listeners = new Set();
  #timer = null;
  #countsTimer = null;
  #countsAt = 0;
  #isNewsForAll = false;

  start() {
    this.#timer = setInterval(() => this.#poll(), EVERY_MS);
    document.addEventListener("visibilitychange", this.#poll);
    this.#poll();
  }

  stop() {
    clearInterval(this.#timer);
    clearTimeout(this.#countsTimer);
    this.#countsTimer = null;
    document.removeEventListener("visibilitychange", this.#poll);
  }

  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Which scopes to count from now on. */
  async setFilter(filter) {
    this.#filter = filter;
    await this.#readCounts();
  }

  /** Something changed in the queue: count again, soon and not too often. */
  countSoon() {
    const pause = Math.max(100, this.#countsAt + COUNTS_PAUSE_MS - performance.now());
    this.#countsTimer ??= setTimeout(() => {
      this.#countsTimer = null;
      this.#readCounts();
      if (this.#isNewsForAll) this.#poll();
      this.#isNewsForAll = false;
    }, pause);
  }

  /** An item began or ended: schedules and Workers are not as they were, either. */
  readSoon() {
    this.#isNewsForAll = true;
    this.countSoon();
  }

  /** Read Workers and schedules now. */
  refresh() {
    return this.#poll();
  }

  #poll = async () => {
    if (document.hidden) return;
    const read = await Promise.all([call("GET", "workers"), call("GET", "schedules")]).catch(() => null);
    if (read === null) return;
    const [{ items, cadence, serverTime }, schedules] = read;
    setCadence(cadence);
    this.workers = items.map((worker) => ({ ...worker, life: lifeOf(worker, serverTime, cadence) }));
    await this.outcomes.learn(schedules.items).catch(() => null);
    this.schedules = schedules.items;
    this.#tell();
  };

  async #readCounts() {
    this.#countsAt = performance.now();
    const asked = this.#filter;
    const answer = await call("GET", "work-items/counts", { query: asked }).catch(() => null);
    if (answer === null || asked !== this.#filter) return;
    this.counts = answer.counts;
    this.#tell();
  }

  #tell() {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** "there", "quiet", "gone" or "stopped", at the moment of the answer: while nobody answers, nobody is gone. */
function lifeOf(worker, serverTime, { pollSeconds }) {
  if (worker.stoppedAt) return "stopped";
  const silent = between(worker.seenAt, serverTime);
  if (silent >= Math.max(GONE_SECONDS, MISSED_POLLS * pollSeconds)) return "gone";
  return silent >= Math.max(QUIET_SECONDS, (MISSED_POLLS - 1) * pollSeconds) ? "quiet" : "there";
}

/** The count of one status and kind, or of all; null before anything was counted. */
export function countOf(counts, status = null, kind = null) {
  if (counts === null) return null;
  const matching = counts.filter((each) => (status === null || each.status === status) && (kind === null || each.kind === kind));
  return {
    count: matching.reduce((sum, each) => sum + each.count, 0),
    isCapped: matching.some((each) => each.isCapped),
  };
}
