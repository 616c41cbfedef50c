// Speaks to the public API, with the bearer token in a header.

import { sync } from "./clock.js";
import { accessToken, refresh, Unreachable } from "./session.js";

const ROOT = "/api/v1/admin/";
const PATIENCE_MS = 20_000;

/** The API refused, in its own words. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? `the API answered ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

/** One request; its JSON. Refused, Unreachable, LoggedOut. */
export async function call(method, path, { query, body } = {}) {
  const answer = await send(method, address(path, query), body);
  if (answer.status === 204) return null;
  const content = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(answer.status, content);
  if (content === null) throw new Unreachable("the answer broke off");
  if (content?.serverTime) sync(content.serverTime);
  return { ...content, httpStatus: answer.status };
}

/** All pages of a list that has pages. */
export async function all(path) {
  const found = [];
  for (let page = 1; ; page += 1) {
    const answer = await call("GET", path, { query: { page, pageSize: 200 } });
    found.push(...answer.items);
    if (found.length >= answer.total || answer.items.length === 0) return found;
  }
}

/** The live stream from a cursor on; the response, whose body is read as it comes. */
export async function openStream(cursor, signal) {
  const headers = { Accept: "text/event-stream" };
  if (cursor) headers["Last-Event-ID"] = cursor;
  const answer = await authorized("GET", `${ROOT}work-items/events`, { headers, signal });
  if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => null));
  return answer;
}

/** The kinds that the API knows, from its own description. */
export async function knownKinds() {
  const answer = await fetch("/api/v1/openapi.json");
  return (await answer.json()).components.schemas.WorkKind.enum;
}

async function send(method, url, body) {
  const options = { signal: AbortSignal.timeout(PATIENCE_MS), headers: {} };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  return authorized(method, url, options);
}

async function authorized(method, url, options) {
  const first = await attempt(method, url, options);
  if (first.status !== 401) return first;
  await refresh();
  return attempt(method, url, options);
}

async function attempt(method, url, options) {
  const headers = { ...options.headers, Authorization: `Bearer ${accessToken()}` };
  try {
    return await fetch(url, { ...options, method, headers });
  } catch (error) {
    if (options.signal?.aborted && error.name === "AbortError") throw error;
    throw new Unreachable("the API can't be reached", { cause: error });
  }
}

function address(path, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(pairs).toString();
  return ROOT + path + (text ? `?${text}` : "");
}
