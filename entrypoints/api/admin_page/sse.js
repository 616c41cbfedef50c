// Reads Server-Sent Events out of bytes that come in any pieces.

/** Yields {event, data, id} from a response's body, and null for each piece that has none. */
export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield* parser.feed(value);
      yield null;
    }
  } finally {
    reader.cancel().catch(() => null);
  }
}

/** Remembers the half of a line, and the event that its lines make. */
export class EventParser {
  #rest = "";
  #event = "";
  #data = [];
  #id = null;

  /** The events that are whole after this piece of text. */
  *feed(text) {
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = lines.pop();
    for (const line of lines) {
      if (line === "") yield* this.#whole();
      else this.#take(line);
    }
  }

  *#whole() {
    if (this.#data.length > 0 || this.#id !== null) {
      yield { event: this.#event || "message", data: this.#data.join("\n"), id: this.#id };
    }
    this.#event = "";
    this.#data = [];
    this.#id = null;
  }

  #take(line) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.#event = value;
    else if (name === "data") this.#data.push(value);
    else if (name === "id") this.#id = value;
  }
}
