// What to do about an end that is not what one hoped for.

import { heldBack } from "./result.js";

const HINTS = [
  [/^RootUnavailable: .*WORKER__ROOT/, "This Worker takes originals only from below its WORKER__ROOT. Let that be a folder above, or register another folder under Folders."],
  [/^RootUnavailable: .*(another storage config|among the proxies)/, "Nothing may be crawled there: what it holds is another folder's, or the small copies themselves. Remove it under Folders, and register where the originals are."],
  [/^RootUnavailable/, "The Worker can't reach the folder. Is the disk mounted there, and may the Worker read it? The next crawl tries again by itself."],
  [/^RootEmpty/, "The folder is empty, which looks like a disk that is not mounted, so nothing was changed. If the files are really gone, choose “Accept missing files” under Folders."],
  [/^ProxiesUnwritable/, "The Worker can't write its small copies. Is WORKER__PROXY_PATH there, writable, and not full?"],
  [/^stalled:/, "The Worker died or went silent each time it ran this. Its log has the item's id; memory is the usual reason."],
  [/^superseded by/, "A newer request for the same work was waiting and runs in its place. Nothing is lost."],
  [/^DatabaseUnavailable/, "The database was away. The next run tries again by itself."],
];

/** A sentence or two, or nothing. */
export function hintFor(item) {
  const known = HINTS.find(([pattern]) => pattern.test(item.error ?? ""));
  if (known) return known[1];
  if (heldBack(item) > 0) {
    return "Most of the library was missing, which looks like a disk that is not mounted, so nothing was taken away. If the files are really gone, choose “Accept missing files” under Folders.";
  }
  if (item.status === "Succeeded" && item.cancelRequestedAt !== null) {
    return "It had done all of its work before it heard that it should stop.";
  }
  if (item.status === "Cancelled" && item.kind === "Crawl") {
    return "What was done so far stays. The next crawl does the rest; Schedules tells when it is due.";
  }
  return item.status === "Failed" ? "The whole of it is in the Worker's log, under the item's id." : "";
}
