"""The count of one crawl: whatever happens to a file is counted once, so the result adds up."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias

from domain.library.media_type import MediaType
from domain.library.verdict import Disposition, SkipReason, Verdict

JsonCount: TypeAlias = "bool | int | float | str | list[JsonCount] | dict[str, JsonCount] | None"
"""A count or a group of counts, as JSON has it."""


@dataclass(slots=True, kw_only=True)
class CrawlReport:
    """Counts only: an admin who does not own the folder may see them."""

    found: int = 0
    dispositions: Counter[Disposition] = field(default_factory=Counter)
    media_types: Counter[MediaType] = field(default_factory=Counter)
    """Of files: pictures and videos."""
    live_photos: int = 0
    """How many of the pictures have a moving half."""
    skipped: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    folders_visited: int = 0
    folders_unreadable: int = 0
    missing: int = 0
    restored: int = 0
    held_back: int = 0
    outside: int = 0
    bytes_read: int = 0
    proxies_written: int = 0

    def add(self, verdict: Verdict, count: int = 1) -> None:
        """Count `count` files that were found before and all came to this verdict."""
        self.dispositions[verdict.disposition] += count
        if verdict.media_type is not None:
            self.media_types[verdict.media_type] += count
        self._add_reason(verdict, count)
        self.restored += verdict.is_restored * count
        self.bytes_read += verdict.bytes_read
        self.proxies_written += verdict.proxies_written

    def _add_reason(self, verdict: Verdict, count: int) -> None:
        if verdict.reason is None:
            return
        if verdict.disposition is Disposition.SKIPPED:
            self.skipped[verdict.reason] += count
        if verdict.disposition is Disposition.FAILED:
            self.failed[verdict.reason] += count

    def _by_media_type(self) -> Counter[str]:
        counts: Counter[str] = Counter(self.media_types)
        live = min(self.live_photos, counts[MediaType.IMAGE])
        counts[MediaType.IMAGE] -= live
        counts[MediaType.LIVE_PHOTO] = live
        return counts

    def add_passed(self, reason: SkipReason, count: int) -> None:
        """Count entries that the walk found and skipped itself (links, pipes, other devices)."""
        self.found += count
        self.add(Verdict(disposition=Disposition.SKIPPED, reason=reason), count)

    @property
    def settled(self) -> int:
        """How many of the found files came to a verdict."""
        return self.dispositions.total()

    def note(self, compared: int = 0) -> str:
        """For a person who watches: counts, never a name.

        Of what is rarer than the first three only what there is. `compared`: so many files that may
        have moved or changed were read to be compared with what is known.
        """
        new = self.dispositions[Disposition.INGESTED]
        failed = self.dispositions[Disposition.FAILED]
        rarer = {
            "compared": compared,
            "updated": self.dispositions[Disposition.UPDATED],
            "moved": self.dispositions[Disposition.MOVED],
            "restored": self.restored,
            "missing": self.missing,
            "held back": self.held_back,
            "folders unreadable": self.folders_unreadable,
        }
        said = [f"{count:,} {word}" for word, count in rarer.items() if count]
        return ", ".join([f"{self.found:,} found, {new:,} new, {failed:,} failed", *said])

    def result(self, seconds: float, *, is_stopped: bool = False) -> dict[str, JsonCount]:
        """The counts under the names that the API shows; `notReached` where it was stopped."""
        return {
            "found": self.found,
            **{str(each): self.dispositions[each] for each in Disposition},
            **({"notReached": self.found - self.settled} if is_stopped else {}),
            "byMediaType": _sorted(self._by_media_type()),
            "skippedByReason": _sorted(self.skipped),
            "failedByReason": _sorted(self.failed),
            "foldersVisited": self.folders_visited,
            "foldersUnreadable": self.folders_unreadable,
            "missing": self.missing,
            "restored": self.restored,
            "heldBack": self.held_back,
            "outside": self.outside,
            "bytesRead": self.bytes_read,
            "proxiesWritten": self.proxies_written,
            "seconds": round(seconds, 3),
        }


def _sorted(counts: Counter[str]) -> dict[str, JsonCount]:
    return {str(name): counts[name] for name in sorted(counts) if counts[name]}
