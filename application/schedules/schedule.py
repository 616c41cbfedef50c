"""What a periodic kind brings along: which slots there are, and how often each is due."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol
from uuid import UUID

from application.payloads import Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One thing that is done again and again: what, for which scope, under which dedup key."""

    payload: Payload
    dedup_key: str
    scope: UUID | None = None


class Schedule(Protocol):
    """A periodic kind's own; the scheduler never looks at the kind."""

    @abstractmethod
    def interval(self) -> timedelta:
        """How long after its last end a slot is due again."""

    @abstractmethod
    def slots(self, scopes: Sequence[UUID]) -> Iterable[Slot]:
        """The slots there are, given the active storage configs that are asked about."""


def slots_by_key(
    schedules: Iterable[Schedule], scopes: Sequence[UUID]
) -> dict[str, tuple[Slot, timedelta]]:
    """Every slot under its dedup key, with its interval."""
    return {
        slot.dedup_key: (slot, schedule.interval())
        for schedule in schedules
        for slot in schedule.slots(scopes)
    }
