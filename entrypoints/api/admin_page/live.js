// Keeps the live stream open: connects, notices silence, comes back where it stopped.

import { openStream, Refused } from "./api.js";
import { LoggedOut } from "./session.js";
import { events } from "./sse.js";

const SILENCE_MS = 20_000;
const UNSEEN_MS = 60_000;
const STALE_MS = 6_000;
// The API tells of the leases at each look at the database: where it doesn't, it can't look.
const TELLING = "leases";
const MUTE_MS = 10_000;
const MISSED = 3;
const UNKNOWN_MS = 30_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** `onEvent(name, content)`, `onState("connecting" | "live" | "mute" | "reconnecting" | "stale")`, `onLoggedOut()`. */
export class Live {
  #cursor;
  #handlers;
  #stopped = false;
  #abort = null;
  #pause = FIRST_PAUSE_MS;
  #wake = () => null;
  #state = "";
  #heardAt = performance.now();
  #triedAt = performance.now();
  #toldAt = performance.now();
  #lookedAt = null;
  #everyMs = Infinity;
  #isMute = false;
  #watch;
  #hiddenAt = null;

  constructor(cursor, handlers) {
    this.#cursor = cursor;
    this.#handlers = handlers;
  }

  start() {
    this.#watch = setInterval(() => this.#look(), 1000);
    addEventListener("online", this.#hurry);
    this.#tell("connecting");
    this.#run();
  }

  stop() {
    this.#stopped = true;
    clearInterval(this.#watch);
    removeEventListener("online", this.#hurry);
    this.#abort?.abort();
    this.#wake();
  }

  #hurry = () => {
    this.#pause = FIRST_PAUSE_MS;
    this.#wake();
  };

  async #run() {
    while (!this.#stopped) {
      await this.#wanted();
      const end = await this.#listen().catch((error) => error);
      if (this.#stopped) return;
      if (isOver(end)) {
        this.#handlers.onLoggedOut();
        return;
      }
      // A stream that ended well did so because its token did: the next one follows at once.
      if (end !== undefined) this.#tell("reconnecting");
      await this.#rest();
    }
  }

  async #listen() {
    this.#abort = new AbortController();
    this.#triedAt = performance.now();
    const answer = await openStream(this.#cursor, this.#abort.signal);
    if (!this.#isMute) this.#toldAt = performance.now();
    for await (const event of events(answer.body)) {
      this.#heardAt = performance.now();
      this.#pause = FIRST_PAUSE_MS;
      const content = event?.data ? JSON.parse(event.data) : null;
      if (event?.event === TELLING) this.#told(Date.parse(content.serverTime));
      this.#tell(this.#isMute ? "mute" : "live");
      if (event === null) continue;
      if (content !== null) this.#handlers.onEvent(event.event, content);
      // Only after it was taken: what was not taken comes again.
      if (event.id) this.#cursor = event.id;
    }
  }

  /** The API has looked at the database, at its time: all that is shown is true now. */
  #told(at) {
    if (this.#lookedAt !== null && at > this.#lookedAt) this.#everyMs = Math.min(this.#everyMs, at - this.#lookedAt);
    this.#lookedAt = at;
    this.#toldAt = performance.now();
    this.#isMute = false;
  }

  /** Notice when it has not looked for long; how often it does so else is learned. */
  #listenForLooks() {
    const patience = this.#everyMs === Infinity ? UNKNOWN_MS : Math.max(MUTE_MS, MISSED * this.#everyMs);
    if (this.#state !== "live" || performance.now() - this.#toldAt <= patience) return;
    this.#isMute = true;
    this.#tell("mute");
  }

  #look() {
    const silent = performance.now() - this.#heardAt;
    // Each attempt has its own time, however long nothing was heard before it.
    const waited = Math.min(silent, performance.now() - this.#triedAt);
    this.#hiddenAt = document.hidden ? (this.#hiddenAt ?? performance.now()) : null;
    const isUnseen = this.#hiddenAt !== null && performance.now() - this.#hiddenAt > UNSEEN_MS;
    if (waited > SILENCE_MS || isUnseen) this.#abort?.abort();
    this.#listenForLooks();
    if (silent > STALE_MS && this.#state === "reconnecting") this.#tell("stale");
  }

  /** Nobody looks at a hidden page for long: it gives its connection up until it is seen again. */
  #wanted() {
    if (!document.hidden) return null;
    return new Promise((resolve) => {
      document.addEventListener("visibilitychange", resolve, { once: true });
    });
  }

  #rest() {
    const pause = this.#pause * (0.75 + Math.random() / 2);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #tell(state) {
    const keepsStale = this.#state === "stale" && state === "reconnecting";
    if (state === this.#state || keepsStale) return;
    this.#state = state;
    this.#handlers.onState(state);
  }
}

function isOver(end) {
  return end instanceof LoggedOut || (end instanceof Refused && end.status === 403);
}
