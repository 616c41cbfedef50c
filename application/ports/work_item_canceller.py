"""The API's only change to an item: cancel it, or ask its Worker to."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol, TypeAlias
from uuid import UUID

from domain.work.item import WorkItem


@dataclass(frozen=True, slots=True)
class CancelledAtOnce:
    """It was queued and has ended."""

    item: WorkItem


@dataclass(frozen=True, slots=True)
class CancelRequested:
    """It runs, and its Worker will be told; asked again, the first request's time stays."""

    item: WorkItem


@dataclass(frozen=True, slots=True)
class AlreadyFinished:
    """It had ended before; nothing changed."""

    item: WorkItem


CancelAnswer: TypeAlias = CancelledAtOnce | CancelRequested | AlreadyFinished


class WorkItemCanceller(Protocol):
    @abstractmethod
    def cancel(self, item_id: UUID) -> CancelAnswer | None:
        """Cancel or ask; the answer's item is the row as it then is. None: no such item.

        DatabaseUnavailable when no answer came; asking again is safe.
        """
