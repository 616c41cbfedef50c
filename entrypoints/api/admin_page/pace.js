// How fast an item moves, from the snapshots of its progress that were seen.

const REMEMBERED = 30;

/**
 * Snapshots of one stretch of work. Another attempt begins anew, and so does an attempt that counts
 * something else now: a crawl counts what it finds first, and then what it has done of it.
 */
export class Pace {
  #stretch = null;
  #samples = [];

  /** Note what an item says of itself. */
  note(item) {
    const { done, total } = item.progress;
    if (item.status !== "Running" || done === null) return;
    const stretch = `${item.attempt} of ${total}`;
    if (stretch !== this.#stretch || done < this.#samples.at(-1).done) this.#samples = [];
    this.#stretch = stretch;
    const at = Date.parse(item.updatedAt) / 1000;
    if (this.#samples.length && at <= this.#samples.at(-1).at) return;
    this.#samples.push({ at, done });
    if (this.#samples.length > REMEMBERED) this.#samples.shift();
  }

  /** Done per second; null before there are two snapshots, or when nothing moved. */
  perSecond() {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || last.at === first.at || last.done === first.done) return null;
    return (last.done - first.done) / (last.at - first.at);
  }

  /** Seconds until `total` is reached at this pace; null where that can't be told. */
  secondsLeft(total) {
    const pace = this.perSecond();
    const last = this.#samples.at(-1);
    if (pace === null || total === null || last.done >= total) return null;
    return (total - last.done) / pace;
  }
}
