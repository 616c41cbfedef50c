"""The queue in numbers, for whoever monitors it."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

COUNTED_UP_TO: Final = 10_000
"""Of each kind and status: beyond it a count says no more than "many"."""


class ScopeKind(StrEnum):
    """What sort of scope an item waits in."""

    UNSCOPED = "unscoped"
    ACTIVE = "active"
    """A storage config that Workers serve."""
    INACTIVE = "inactive"
    """One that is switched off, or whose user is: its items wait on purpose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemCount:
    """How many items of a kind have a status, counted up to COUNTED_UP_TO."""

    kind: str
    status: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One look at the queue."""

    counts: Sequence[ItemCount]
    """Of every kind that has items, each with every status, zeros included."""
    oldest_queued: Mapping[ScopeKind, float]
    """For how many seconds the item that was requested first has waited; 0 where none waits."""


class QueueFigures(Protocol):
    @abstractmethod
    def read(self) -> Figures:
        """The figures as they are now, cheap however many items there are; DatabaseUnavailable."""
