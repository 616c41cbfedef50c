// How fast an item moves, from the snapshots of its progress that were seen.

const REMEMBERED = 30;

/** Snapshots of one attempt; another attempt begins anew. */
export class Pace {
  #attempt = null;
  #samples = [];

  /** Note what an item says of itself. */
  note(item) {
    if (item.attempt !== this.#attempt) {
      this.#attempt = item.attempt;
      this.#samples = [];
    }
    const { done } = item.progress;
    if (item.status !== "Running" || done === null) return;
    const at = Date.parse(item.updatedAt) / 1000;
    const last = this.#samples.at(-1);
    if (last && (at <= last.at || done < last.done)) return;
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
