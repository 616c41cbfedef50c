"""Reading items for whoever shows them."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol
from uuid import UUID

from domain.work.item import WorkItem
from domain.work.limits import KIBIBYTE
from domain.work.status import WorkStatus

LISTED_RESULT_BYTES: Final = 4 * KIBIBYTE
LISTED_ERROR_CHARACTERS: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedItem:
    """An item as a list and the live view show it: no payload, an error of 500 characters."""

    item: WorkItem
    result_omitted: bool
    """The result is over 4 KiB of JSON and left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFilter:
    """Which items to list; an empty part does not filter."""

    statuses: frozenset[WorkStatus] = frozenset()
    kinds: frozenset[str] = frozenset()
    scopes: frozenset[UUID | None] = frozenset()
    """None stands for the unscoped items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItemPage:
    """One page, all of one snapshot of the database."""

    items: Sequence[ListedItem]
    total: int
    """How many match, counted up to the cap."""
    total_is_capped: bool
    cursor: datetime
    """The newest change of any item or removal, whatever the filter; of none, `server_time`."""
    server_time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItemDetail:
    """One item and the database's time."""

    item: WorkItem
    server_time: datetime


class WorkItemReader(Protocol):
    """Both methods raise DatabaseUnavailable."""

    @abstractmethod
    def page(self, which: ListFilter, *, offset: int, limit: int, count_up_to: int) -> WorkItemPage:
        """Items by (requested_at, id), newest first."""

    @abstractmethod
    def get(self, item_id: UUID) -> WorkItemDetail | None:
        """The item as it is now; None: no such item."""
