// Who is logged in, in this tab. The tokens live in sessionStorage: they survive a reload, no other
// tab or later visit gets them, and two tabs never spend the same refresh token.

import { hold, isYoungerCopy } from "./copies.js";

const KEY = "anichron.session";
const PATIENCE_MS = 20_000;
const LOGIN = "/api/v1/auth/login";
const REFRESH = "/api/v1/auth/refresh";
const LOGOUT = "/api/v1/auth/logout";

let held = restore();
hold(held?.log ?? null);
let refreshing = null;
let onEnd = () => null;

/** The log-in was refused, or has ended. */
export class LoggedOut extends Error {}

/** No answer came. */
export class Unreachable extends Error {}

/** Call back when the log-in has ended without anybody having logged out. */
export function whenEnded(callback) {
  onEnd = callback;
}

export function isLoggedIn() {
  return held !== null;
}

/** Who typed what at the log-in. */
export function userName() {
  return held?.userName ?? "";
}

/** The access token, as it is. */
export function accessToken() {
  if (held === null) throw new LoggedOut("not logged in");
  return held.accessToken;
}

/** Log in; the problem document where that is refused. */
export async function logIn(username, password) {
  const answer = await post(LOGIN, { username, password });
  const body = await answer.json();
  if (!answer.ok) return { ...body, retryAfter: answer.headers.get("Retry-After") };
  keep({ ...body, userName: username, log: crypto.getRandomValues(new Uint32Array(4)).join("-") });
  return null;
}

/** New tokens for old; LoggedOut where the log-in has ended. Callers at once share one exchange. */
export function refresh() {
  refreshing ??= exchange().finally(() => {
    refreshing = null;
  });
  return refreshing;
}

async function exchange() {
  if (held === null) throw new LoggedOut("not logged in");
  if (await isYoungerCopy()) throw ended();
  const answer = await post(REFRESH, { refreshToken: held.refreshToken });
  if (answer.status === 401) throw ended();
  if (!answer.ok) throw new Error(`the tokens could not be renewed: ${answer.status}`);
  keep({ ...(await answer.json()), userName: held.userName, log: held.log });
}

function ended() {
  forget();
  onEnd();
  return new LoggedOut("the log-in has ended");
}

/** Give the tokens up, here and at the server. */
export async function logOut() {
  const refreshToken = held?.refreshToken;
  forget();
  if (refreshToken) await post(LOGOUT, { refreshToken }).catch(() => null);
}

async function post(path, body) {
  try {
    return await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    throw new Unreachable("the API can't be reached", { cause: error });
  }
}

function keep({ accessToken: token, refreshToken, userName: name, log }) {
  held = { accessToken: token, refreshToken, userName: name, log };
  hold(log ?? null);
  sessionStorage.setItem(KEY, JSON.stringify(held));
}

function forget() {
  held = null;
  hold(null);
  sessionStorage.removeItem(KEY);
}

function restore() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}
