"""The listing of one crawl, and its difference from what the library knew."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.library.signature import ListedFile, Signature
from domain.library.verdict import SkipReason, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedChange:
    """A file that is new or whose signature is not the known one."""

    number: int
    """Its place among the changes in the order of their paths, from 1."""
    path: bytes
    signature: Signature
    xxh64: str | None
    """The hash, where it was noted in this crawl already."""
    is_suspect: bool
    """A decoder died while this file was in flight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What the listing says at once, without opening a file."""

    verdicts: Sequence[tuple[Verdict, int]]
    """Unchanged files (assets, duplicates, skipped, failed), counted by what they are."""
    outside: int
    """Known files that are unreadable entries, or below one."""
    living: int
    """The config's assets that are not missing."""


class CrawlListing(Protocol):
    """Lives as long as one crawl; as large as the folder, so never in the Worker's memory."""

    @abstractmethod
    def add(self, files: Sequence[tuple[ListedFile, SkipReason | None]]) -> None:
        """Take up files; the reason is one to skip the file for without opening it."""

    @abstractmethod
    def add_unreadable(self, entries: Sequence[bytes]) -> None:
        """Take up paths: nothing that is there or below may be taken for gone."""

    @abstractmethod
    def compare(self) -> Comparison:
        """Close the listing and compare it with the known files by signature.

        Writes the failures of unchanged files again for this attempt. Raises ClaimLost.
        """

    @abstractmethod
    def settle_skipped(self) -> Sequence[tuple[Verdict, int]]:
        """Remember the new and changed files that are skipped unopened; raises ClaimLost."""

    @abstractmethod
    def to_fingerprint(self, after: int, limit: int) -> Sequence[ListedChange]:
        """Changes whose hash must be known before any is settled, by number.

        These are changed files, and new files that may be one of those under another name.
        """

    @abstractmethod
    def note_hash(self, change: ListedChange, xxh64: str) -> None:
        """Remember a hash for the rest of this crawl."""

    @abstractmethod
    def to_ingest(self, after: int, limit: int, *, suspects: bool) -> Sequence[ListedChange]:
        """Changes that must be opened, by number: the suspects, or all others."""
