"""The only way in: inserting work items. Named by the enqueue path alone."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol
from uuid import UUID

from application.ports.transactions import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWorkItem:
    """A checked request; the database adds the times."""

    id: UUID
    kind: str
    payload: Mapping[str, object]
    storage_config_id: UUID | None = None
    dedup_key: str | None = None
    requested_by: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enqueued:
    """The item that will do the work, and whether it was waiting already."""

    id: UUID
    coalesced: bool


class WorkQueue(Protocol):
    """All raise DatabaseUnavailable when no answer came: it may be done all the same."""

    @abstractmethod
    def enqueue(self, item: NewWorkItem) -> Enqueued:
        """Insert the item, or return the queued one with the same dedup key.

        The id returned was `Queued` at some instant after the call began. NotFound when the
        storage config does not exist.
        """

    @abstractmethod
    def enqueue_within(
        self, transaction: Transaction, items: Sequence[NewWorkItem]
    ) -> Sequence[Enqueued]:
        """The same as part of a caller's transaction; answers in the order of `items`.

        Keys are taken in sorted order, so that callers don't deadlock. A twin's row is held until
        the commit: its run sees the caller's changes.
        """

    @abstractmethod
    def enqueue_if_due(self, item: NewWorkItem, interval: timedelta) -> Enqueued | None:
        """Insert the item if its dedup key is due; None if it isn't, or somebody else decides it.

        Due-ness and insert are decided together, so racing schedulers make one item. None, too,
        when the storage config is gone.
        """
