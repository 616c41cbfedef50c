// Who and what the ids in work items stand for.

import { all } from "./api.js";

let users = new Map();
let configs = new Map();
// What is gone stays unknown, and is not asked for again and again.
const askedFor = new Set();

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

/** Whose a folder is; null where it is not known here, and where there is no folder. */
export function ownerOf(id) {
  return configs.get(id)?.userId ?? null;
}

/** The whole path of a scope, for those who want it exactly. */
export function scopePath(id) {
  return id === null ? "" : (configs.get(id)?.rootPath ?? id);
}

/** Whether an item has a folder or a requester that is not known here and was not asked for yet. */
export function isNews(item) {
  const unknown = [
    item.storageConfigId !== null && !configs.has(item.storageConfigId) && item.storageConfigId,
    item.requestedBy !== null && !users.has(item.requestedBy) && item.requestedBy,
  ].filter((id) => id && !askedFor.has(id));
  for (const id of unknown) askedFor.add(id);
  return unknown.length > 0;
}

function shortPath(path) {
  const parts = path.split("/").filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : path;
}
