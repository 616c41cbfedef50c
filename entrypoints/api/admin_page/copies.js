// A tab that the browser duplicated has the tokens of the other one, and a refresh token is good only
// once: a second use ends the log-in of both. So the older of two goes on, and the younger one ends.

const ANSWER_MS = 200;
const channel = new BroadcastChannel("anichron.copies");
const me = { born: performance.timeOrigin, lot: Math.random() };
let held = null;
let waiting = null;

channel.addEventListener("message", ({ data }) => {
  if (data.ask !== undefined && data.ask === held && isOlder(me, data.from)) channel.postMessage({ older: data.ask });
  if (data.older !== undefined && data.older === waiting?.log) waiting.answer(true);
});

/** Note which log-in this tab has; null: none. */
export function hold(log) {
  held = log;
}

/** Whether an older tab has the same log-in. */
export async function isYoungerCopy() {
  if (held === null) return false;
  const answer = new Promise((resolve) => {
    waiting = { log: held, answer: resolve };
    setTimeout(() => resolve(false), ANSWER_MS);
  });
  channel.postMessage({ ask: held, from: me });
  const isCopy = await answer;
  waiting = null;
  return isCopy;
}

function isOlder(one, other) {
  return one.born === other.born ? one.lot < other.lot : one.born < other.born;
}
