"""Which files a finished crawl could not take, for the folder's owner."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from domain.work.attempt import AttemptTag


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedCrawl:
    """A crawl that reached its end or was cancelled on its way, and the attempt that did or was."""

    tag: AttemptTag
    finished_at: datetime
    is_partial: bool
    """It was cancelled: files that it did not reach are not among its failures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlFailure:
    """One file."""

    number: int
    """Its place: what was noted later has a larger one."""
    path: bytes
    """Relative to the folder, byte for byte."""
    display_path: str
    """The path as text; what is not UTF-8 is replaced."""
    reason: str
    message: str


class CrawlFailures(Protocol):
    """Rows of other attempts, and of crawls that failed, are never seen.

    Both methods raise DatabaseUnavailable.
    """

    @abstractmethod
    def crawl(self, storage_config_id: UUID, item_id: UUID | None) -> FinishedCrawl | None:
        """The config's latest crawl with a result or, where an id is given, that one.

        A crawl that was cancelled while it waited has none. None: there is no such crawl, or the id
        is none of them.
        """

    @abstractmethod
    def of(self, tag: AttemptTag, *, after: int, limit: int) -> Sequence[CrawlFailure]:
        """At most `limit` failures of the attempt with a number above `after`, in order."""
