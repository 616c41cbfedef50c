"""Deleting finished items; their result rows go with them."""

from abc import abstractmethod
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from domain.work.attempt import AttemptTag


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgePosition:
    """How far a purge has come, by (finished_at, id)."""

    finished_at: datetime
    item_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """One batch."""

    items: int
    rows: int
    """Result rows, and notes of removals and of Workers long gone, that went along."""
    position: PurgePosition | None
    """Where the next batch goes on; None: nothing is left."""


class WorkItemPurger(Protocol):
    @abstractmethod
    def purge(
        self, tag: AttemptTag, *, older_than: timedelta, after: PurgePosition | None, most: int
    ) -> Purged:
        """Delete one batch of items that finished longer ago than this, oldest first.

        A short transaction that proves the claim of `tag` (ClaimLost) and waits for nobody: rows
        that somebody holds are passed over and come with the next purge. DatabaseUnavailable.
        """
