// Who and what the ids in work items stand for.

import { all } from "./api.js";

let users = new Map();
let configs = new Map();

/** Read users and folders anew. */
export async function load() {
  const [people, folders] = await Promise.all([all("users"), all("storage-configs")]);
  users = byId(people);
  configs = byId(folders);
}

function byId(entries) {
  return new Map(entries.map((entry) => [entry.id, entry]));
}

export function people() {
  return [...users.values()];
}

export function folders() {
  return [...configs.values()];
}

/** A user's name; of one that is gone, that it is. */
export function userName(id) {
  return users.get(id)?.name ?? "a deleted user";
}

/** Who asked for an item. */
export function requester(item) {
  return item.requestedBy === null ? "scheduled" : `by ${userName(item.requestedBy)}`;
}

/** Where an item works: a folder's last parts with its owner, or everywhere. */
export function scopeName(id) {
  if (id === null) return "Whole installation";
  const config = configs.get(id);
  return config ? `${shortPath(config.rootPath)} · ${userName(config.userId)}` : "A removed folder";
}

/** The whole path of a scope, for those who want it exactly. */
export function scopePath(id) {
  return id === null ? "" : (configs.get(id)?.rootPath ?? id);
}

/** Whether a scope is not known here yet. */
export function isUnknown(id) {
  return id !== null && !configs.has(id);
}

function shortPath(path) {
  const parts = path.split("/").filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : path;
}
