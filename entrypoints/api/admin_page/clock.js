// The database's time as well as this machine can know it, and times in words.

let ahead = 0;

/** Note what time it is at the database. */
export function sync(serverTime) {
  ahead = Date.parse(serverTime) - Date.now();
}

/** Now, in milliseconds, by the database's clock. */
export function now() {
  return Date.now() + ahead;
}

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
];

/** A span in at most two units: "1 h 4 min". */
export function span(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const at = UNITS.findIndex(([, size]) => whole >= size);
  if (at < 0) return "0 s";
  const [name, size] = UNITS[at];
  const first = `${Math.floor(whole / size)} ${name}`;
  const rest = UNITS[at + 1];
  if (!rest || whole >= 10 * size) return first;
  const second = Math.floor((whole % size) / rest[1]);
  return second ? `${first} ${second} ${rest[0]}` : first;
}

/** A span in its largest unit only: "3 h". */
export function roughly(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const [name, size] = UNITS.find(([, each]) => whole >= each) ?? ["s", 1];
  return `${Math.floor(whole / size)} ${name}`;
}

/** How long ago or how far ahead an instant is: "12 s ago", "in 3 h". */
export function relative(instant) {
  const seconds = (now() - Date.parse(instant)) / 1000;
  if (Math.abs(seconds) < 1) return "now";
  return seconds > 0 ? `${roughly(seconds)} ago` : `in ${span(-seconds)}`;
}

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });

/** An instant in full, in this machine's time zone. */
export function exact(instant) {
  return EXACT.format(new Date(instant));
}

/** Seconds from one instant to another; to now where there is no other. */
export function between(from, to) {
  return ((to ? Date.parse(to) : now()) - Date.parse(from)) / 1000;
}
