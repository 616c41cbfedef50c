// How fast an item moves, from the snapshots of its progress that were seen.

const REMEMBERED = 30;
// How many times the usual pause between two snapshots is no delay yet.
const PATIENCE = 3;

/**
 * Snapshots of one stretch of work. Another attempt begins anew, and so does an attempt that counts
 * something else now: a crawl counts what it finds first, and then what it has done of it.
 */
export class Pace {
  #stretch = null;
  #samples = [];
  #note = null;

  /** Note what an item says of itself. */
  note(item) {
    const { done, total, note } = item.progress;
    const stretch = `${item.attempt} of ${total}`;
    if (stretch !== this.#stretch || done < this.#samples.at(-1)?.done) this.#samples = [];
    this.#stretch = stretch;
    if (item.status !== "Running" || done === null) return;
    const at = Date.parse(item.updatedAt) / 1000;
    const last = this.#samples.at(-1);
    if (last && at <= last.at) return;
    if (last && done === last.done) {
      // Something else goes on before the first is done: the pace is not of that.
      if (this.#samples.length === 1 && note !== this.#note) last.at = at;
      this.#note = note;
      return;
    }
    this.#note = note;
    this.#samples.push({ at, done });
    if (this.#samples.length > REMEMBERED) this.#samples.shift();
  }

  /**
   * Done per second until `now`, in milliseconds; null before there are two snapshots, or when nothing
   * moved. An item that says nothing new for longer than it used to becomes slower with every second.
   */
  perSecond(now) {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || last.done === first.done) return null;
    const usual = (last.at - first.at) / (this.#samples.length - 1);
    const late = Math.max(0, now / 1000 - last.at - PATIENCE * usual);
    return (last.done - first.done) / (last.at - first.at + late);
  }

  /** Seconds until `total` is reached at this pace; null where that can't be told. */
  secondsLeft(total, now) {
    const pace = this.perSecond(now);
    const last = this.#samples.at(-1);
    if (pace === null || total === null || last.done >= total) return null;
    return (total - last.done) / pace;
  }
}
