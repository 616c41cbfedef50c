// The queue, live: the list under a filter, and what can be done with its items.

import { call } from "./api.js";
import { go, read } from "./address.js";
import { Calm } from "./calm.js";
import { cancelOne, cancelSeveral } from "./cancel.js";
import { wordsFor } from "./dialogs.js";
import { button, fill, h, icon, show, write } from "./dom.js";
import { filters } from "./filters.js";
import { Listing } from "./listing.js";
import { isNews, load as loadNames } from "./names.js";
import { countOf } from "./overview.js";
import { COLUMNS } from "./rows.js";
import { Selection } from "./selection.js";
import { canCancel } from "./store.js";
import { tabs } from "./tabs.js";
import { say } from "./toasts.js";
import { verdict } from "./verdict.js";
import { bounded, count, FINISHED, kindName, number } from "./words.js";

const FIRST_ROWS = 50;
const MORE_ROWS = 200;
const FRAME_MS = 30;

export class QueueView {
  #filter = {};
  #window = FIRST_ROWS;
  #held = new Set();
  #fresh = new Set();
  #frame = null;
  #asked = 0;
  #isComplete = true;
  #untrue = null;

  constructor(store, overview) {
    this.store = store;
    this.overview = overview;
    this.#build();
    overview.onChange(() => this.#showOverview());
    setInterval(() => this.#tick(), 1000);
  }

  /** Read the list that the address asks for; the cursor from which the stream misses nothing. */
  async load() {
    const { status, kind, scope } = read();
    const filter = { status, kind, scope };
    const isSame = JSON.stringify(filter) === JSON.stringify(this.#filter);
    if (!isSame) this.#window = FIRST_ROWS;
    this.#filter = filter;
    this.selection.clear();
    this.#showChoices();
    const counting = this.overview.setFilter({ scope });
    const cursor = await this.#list(isSame ? this.#window : FIRST_ROWS);
    await counting;
    return cursor;
  }

  /** Learn what filters can be chosen. */
  async prepare() {
    await this.filters.load();
    this.#showChoices();
  }

  /** An item became what it is now. */
  take(item) {
    const before = this.store.get(item.id);
    if (!this.store.put(item)) return;
    this.#announce(before, item);
    if (before?.status !== item.status) this.overview.readSoon();
    if (isNews(item)) loadNames().then(() => this.#showChoices(), () => null);
    this.#changed(item.id);
  }

  /** Say why what is shown may be old; null: it is not. */
  setUntrue(why) {
    this.#untrue = why;
    this.#showVerdict();
  }

  /** An item is gone. */
  remove(id) {
    this.store.remove(id);
    this.#changed(id);
  }

  #build() {
    this.tabs = tabs((status) => go({ status }));
    this.filters = filters((changes) => go(changes));
    this.verdict = verdict();
    this.selection = new Selection(
      () => this.#selectionChanged(),
      (ids) => this.#cancelSelected(ids),
    );
    this.news = button("", () => this.#settle(), { look: "small news", drawing: "more", hidden: true });
    this.all = h("input", { type: "checkbox", aria: { label: "Select all that can be cancelled" }, onChange: () => this.#selectAll() });
    this.body = h("tbody", { role: "rowgroup" });
    const heads = COLUMNS.map((name, at) => h("th", { scope: "col", role: "columnheader" }, at === 0 ? this.all : h("span", { class: at === 7 ? "unseen" : "" }, name)));
    const head = h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads));
    this.table = h("table", { class: "list", role: "table", aria: { label: "Work items" } }, head, this.body);
    this.empty = h("div", { class: "empty", hidden: true });
    this.problem = h("div", { class: "problem", role: "alert", hidden: true });
    this.shown = h("span", { class: "soft small" });
    this.more = button("Show more", () => this.#showMore(), { look: "small" });
    const foot = h("div", { class: "list-foot" }, this.shown, this.more);
    const bar = h("div", { class: "list-bar" }, this.tabs.element, this.filters.element);
    const card = h("section", { class: "card list-card", aria: { label: "Queue" } }, bar, this.selection.element, this.news, this.problem, this.table, this.empty, foot);
    this.element = h("div", { class: "view queue" }, h("h1", { class: "unseen" }, "Queue"), this.verdict.element, card);
    this.calm = new Calm(this.body, () => this.selection.size > 0, () => this.#release());
    this.listing = new Listing(this.body, this.store, {
      open: (id) => go({ item: id }),
      cancel: (id) => cancelOne(this.store.get(id), (item) => this.take(item)),
      select: (id, isSelected) => this.selection.set(id, isSelected),
    });
    this.table.addEventListener("keydown", (event) => event.key === "Escape" && this.selection.clear());
  }

  async #list(rows) {
    this.#asked += 1;
    const mine = this.#asked;
    this.table.setAttribute("aria-busy", "true");
    try {
      const pages = await this.#pages(rows);
      if (mine !== this.#asked) return pages[0].cursor;
      this.#show(pages);
      show(this.problem, false);
      return pages[0].cursor;
    } catch (error) {
      this.#explain(error);
      throw error;
    } finally {
      this.table.removeAttribute("aria-busy");
    }
  }

  async #pages(rows) {
    const pageSize = Math.min(rows, MORE_ROWS);
    const pages = [];
    for (let page = 1; (page - 1) * pageSize < rows; page += 1) {
      const answer = await call("GET", "work-items", { query: { ...this.#filter, page, pageSize } });
      pages.push(answer);
      if (answer.items.length < pageSize) break;
    }
    return pages;
  }

  #show(pages) {
    const items = pages.flatMap((page) => page.items);
    for (const item of items) this.store.put(item);
    const ids = items.map((item) => item.id).filter((id) => this.#belongs(this.store.get(id)));
    this.#held.clear();
    this.listing.reset(ids);
    this.#window = Math.max(this.#window, ids.length);
    this.#isComplete = items.length >= pages[0].total && !pages[0].totalIsCapped;
    this.#showFoot();
  }

  async #showMore() {
    this.more.disabled = true;
    this.#window = Math.floor(this.listing.order.length / MORE_ROWS + 1) * MORE_ROWS;
    await this.#list(this.#window).catch(() => null);
    this.more.disabled = false;
  }

  #belongs(item) {
    if (!item || this.store.isRemoved(item.id)) return false;
    const { status, kind, scope } = this.#filter;
    if (status && item.status !== status) return false;
    if (kind && item.kind !== kind) return false;
    return !scope || (item.storageConfigId ?? "none") === scope;
  }

  /** Many changes may come at once: they are shown together, with the next frame. */
  #changed(id) {
    this.overview.countSoon();
    this.#fresh.add(id);
    this.#frame ??= setTimeout(() => this.#showFresh(), FRAME_MS);
  }

  #showFresh() {
    const fresh = [...this.#fresh];
    this.#fresh.clear();
    this.#frame = null;
    if (this.calm.isFrozen()) this.#hold(fresh);
    else this.#apply(fresh);
  }

  #apply(ids) {
    for (const id of ids) {
      const item = this.store.get(id);
      if (item) this.listing.change(item, this.#belongs(item) && this.#isWithin(item));
      else this.listing.remove(id);
    }
    if (this.calm.isSteady()) this.#showNews();
    else this.#settle();
  }

  #isWithin(item) {
    // What is older than the last row shown belongs to rows that are not shown yet.
    const last = this.store.get(this.listing.order.at(-1));
    return this.#isComplete || !last || this.listing.rows.has(item.id) || Date.parse(item.requestedAt) >= Date.parse(last.requestedAt);
  }

  #settle() {
    if (this.listing.waiting > 0) {
      const before = this.listing.order.length + this.listing.coming;
      this.listing.settle(Math.max(this.#window, FIRST_ROWS));
      if (before > this.listing.order.length && before > this.#window) this.#isComplete = false;
    }
    this.#showNews();
    this.#showFoot();
  }

  #hold(ids) {
    for (const id of ids) this.#held.add(id);
    this.selection.showHeld(this.#held.size);
  }

  #release() {
    if (this.calm.isFrozen()) return;
    const held = [...this.#held];
    this.#held.clear();
    this.#apply(held);
  }

  #showNews() {
    const many = this.listing.coming;
    show(this.news, many > 0);
    write(this.news.lastChild, `Show ${count(many, "new item")}`);
  }

  #selectionChanged() {
    for (const row of this.listing.rows.values()) row.setSelected(this.selection.has(row.id));
    const can = this.#selectable();
    this.all.checked = can.length > 0 && can.every((id) => this.selection.has(id));
    this.all.indeterminate = !this.all.checked && this.selection.size > 0;
    if (this.selection.size === 0) this.calm.free();
  }

  #selectable() {
    return this.listing.order.filter((id) => canCancel(this.listing.rows.get(id).item));
  }

  #selectAll() {
    this.selection.setAll(this.#selectable(), this.all.checked);
  }

  async #cancelSelected(ids) {
    const items = ids.map((id) => this.store.get(id)).filter(Boolean);
    if (await cancelSeveral(items, (item) => this.take(item))) this.selection.clear();
  }

  #announce(before, item) {
    if (before && before.status !== item.status && FINISHED.has(item.status)) {
      say(`${kindName(item.kind)} ${item.status.toLowerCase()}.`);
    }
  }

  #showChoices() {
    this.#showCounts();
    for (const row of this.listing.rows.values()) row.update(row.item);
  }

  #showCounts() {
    this.tabs.update(this.#filter, this.overview.counts);
    this.filters.update(this.#filter, this.overview.counts);
  }

  #showOverview() {
    this.#showCounts();
    this.#showVerdict();
    this.#showFoot();
  }

  #showVerdict() {
    this.verdict.update(this.overview, this.store.silent(), this.#untrue);
  }

  #showFoot() {
    const shown = this.listing.order.length;
    const total = countOf(this.overview.counts, this.#filter.status, this.#filter.kind);
    const isMore = !this.#isComplete && shown > 0;
    write(this.shown, shown === 0 ? "" : isMore && total ? `${number(shown)} of ${bounded(Math.max(total.count, shown), total.isCapped)} shown` : `${count(shown, "item")}`);
    show(this.more, isMore);
    show(this.table, shown > 0);
    this.all.disabled = this.#selectable().length === 0;
    const isEmpty = shown === 0 && this.#asked > 0 && this.problem.hidden;
    show(this.empty, isEmpty);
    if (isEmpty) fill(this.empty, icon("list"), h("h2", {}, this.#emptyTitle()), h("p", { class: "soft" }, this.#emptyText()));
  }

  #emptyTitle() {
    const { status, kind, scope } = this.#filter;
    if (status || kind || scope) return status ? `Nothing ${status.toLowerCase()} here` : "Nothing matches the filters";
    return "Nothing to do yet";
  }

  #emptyText() {
    const { status, kind, scope } = this.#filter;
    if (status === "Failed") return "Good: nothing went wrong in the time that is kept.";
    if (status || kind || scope) return "Choose another status, or clear the filters.";
    return "Register a folder under Folders; a Worker crawls it within seconds.";
  }

  #explain(error) {
    fill(this.problem, icon("failed"), h("span", {}, `The list could not be read: ${wordsFor(error)}`), button("Try again", () => this.load().catch(() => null), { look: "small" }));
    show(this.problem, true);
    this.#showFoot();
  }

  #tick() {
    if (document.hidden) return;
    this.#showVerdict();
    if (!this.calm.isFrozen()) this.listing.tick();
  }
}
