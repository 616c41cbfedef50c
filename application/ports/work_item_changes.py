"""What a live view follows: changes of items, removals and leases."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from application.ports.work_item_reader import ListedItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An item as it became at `changed_at`; `item` is None for an unfinished one that is gone."""

    item_id: UUID
    changed_at: datetime
    item: ListedItem | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeBatch:
    """One look at the database."""

    changes: Sequence[Change]
    """By (changed_at, item_id), oldest first; each item once, as it is now."""
    is_complete: bool
    """False: there were more than asked for, and the oldest are left out."""
    leases: Mapping[UUID, datetime]
    """Of every running item."""
    server_time: datetime


class WorkItemChanges(Protocol):
    """Both methods raise DatabaseUnavailable."""

    @abstractmethod
    def newest(self, most: int) -> ChangeBatch:
        """The newest changes there are, at most so many."""

    @abstractmethod
    def since(self, instant: datetime, most: int) -> ChangeBatch:
        """The changes after the instant; of more than `most`, the newest."""
