// The rows of the table in their order: which there are, which wait to come, which are to go.

import { Row } from "./rows.js";

/** `act` goes to the rows; `matches(item)` tells whether an item belongs to the filter. */
export class Listing {
  order = [];
  rows = new Map();
  #coming = new Set();
  #body;
  #store;
  #act;

  constructor(body, store, act) {
    this.#body = body;
    this.#store = store;
    this.#act = act;
  }

  /** How many changes of the order wait to be shown. */
  get waiting() {
    return this.#coming.size + this.order.filter((id) => this.rows.get(id).isGone).length;
  }

  /** How many new items wait to be shown. */
  get coming() {
    return this.#coming.size;
  }

  /** Begin anew with these ids, keeping the rows that stay. */
  reset(ids) {
    const kept = new Set(ids);
    for (const id of this.order) if (!kept.has(id)) this.rows.delete(id);
    this.#coming.clear();
    this.order = [...kept].filter((id) => this.#store.get(id));
    this.#sort();
    for (const id of this.order) this.#rowFor(id).isGone = false;
    for (const id of this.order) this.rows.get(id).setLeaving(false);
    this.#arrange();
  }

  /** An item changed: its row too, at once. What changes the order waits for `settle`. */
  change(item, belongs) {
    const row = this.rows.get(item.id);
    if (row) {
      row.update(item);
      row.isGone = !belongs;
      row.setLeaving(!belongs);
    } else if (belongs) this.#coming.add(item.id);
    else this.#coming.delete(item.id);
  }

  /** An item does not exist any more. */
  remove(id) {
    this.#coming.delete(id);
    const row = this.rows.get(id);
    if (row) {
      row.isGone = true;
      row.setLeaving(true);
    }
  }

  /** Show what waited, and no more than `most` rows; the ids that came. */
  settle(most) {
    const came = [...this.#coming].filter((id) => this.#store.get(id));
    this.#coming.clear();
    for (const id of this.order) if (this.rows.get(id).isGone) this.rows.delete(id);
    this.order = [...this.order.filter((id) => this.rows.has(id)), ...came];
    this.#sort();
    for (const id of this.order.slice(most)) this.rows.delete(id);
    this.order.length = Math.min(this.order.length, most);
    for (const id of this.order) this.#rowFor(id);
    this.#arrange();
    return came;
  }

  tick() {
    for (const row of this.rows.values()) if (row.item.status === "Running") row.tick();
  }

  #rowFor(id) {
    const item = this.#store.get(id);
    const row = this.rows.get(id);
    if (row) {
      if (item && row.item !== item) row.update(item);
      return row;
    }
    const made = new Row(item, this.#store, this.#act);
    made.isGone = false;
    this.rows.set(id, made);
    return made;
  }

  #sort() {
    const key = (id) => {
      const item = this.#store.get(id) ?? this.rows.get(id).item;
      return [Date.parse(item.requestedAt), id];
    };
    const keys = new Map(this.order.map((id) => [id, key(id)]));
    this.order.sort((one, other) => {
      const [a, b] = [keys.get(one), keys.get(other)];
      return b[0] - a[0] || (a[1] < b[1] ? 1 : -1);
    });
  }

  #arrange() {
    let at = this.#body.firstElementChild;
    const shown = new Set(this.order.map((id) => this.rows.get(id).element));
    for (const element of shown) {
      while (at && at !== element && !shown.has(at)) at = dropped(at);
      if (at === element) at = at.nextElementSibling;
      else this.#body.insertBefore(element, at);
    }
    while (at) at = dropped(at);
  }
}

function dropped(element) {
  const following = element.nextElementSibling;
  element.remove();
  return following;
}
