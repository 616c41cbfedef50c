// Names and numbers as people read them.

const NUMBER = new Intl.NumberFormat();
const RATE = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 2 });

export const STATUSES = ["Queued", "Running", "Succeeded", "Failed", "Cancelled"];
export const FINISHED = new Set(["Succeeded", "Failed", "Cancelled"]);

const KINDS = {
  Crawl: "Crawl",
  TokenCleanup: "Token cleanup",
  WorkItemRetention: "Queue retention",
};

/** A kind's name; of one that is not known here, its own with spaces. */
export function kindName(kind) {
  return KINDS[kind] ?? spaced(kind);
}

/** `softDeletedFiles` or `SoftDeletedFiles` as "Soft deleted files". */
export function spaced(name) {
  const words = name
    .replace(/[_-]+/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function number(value) {
  return NUMBER.format(value);
}

export function rate(perSecond) {
  if (perSecond >= 1) return `${RATE.format(perSecond)}/s`;
  return `${RATE.format(perSecond * 60)}/min`;
}

/** "1 item", "3 items". */
export function count(many, one, several = `${one}s`) {
  return `${number(many)} ${many === 1 ? one : several}`;
}

/** A number that may be a lower bound. */
export function bounded(value, isCapped) {
  return isCapped ? `${number(value)}+` : number(value);
}
