// The view and its filters live in the address, so that they can be bookmarked and gone back to.

const PARTS = ["view", "status", "kind", "scope", "item"];
const listeners = new Set();

/** What the address says now; a missing part is null. */
export function read() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(PARTS.map((name) => [name, query.get(name)]));
}

/** Change parts of it; null removes one. */
export function go(changes, { replace = false } = {}) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  const target = location.pathname + (text ? `?${text}` : "");
  if (target === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", target);
  tell();
}

/** Call back whenever it has changed, until the returned function is called. */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell() {
  for (const listener of [...listeners]) listener(read());
}

addEventListener("popstate", tell);
