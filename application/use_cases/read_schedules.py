"""Read what is done again and again: when it was last, how that ended, and when it is due."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from application.payloads import kind_of
from application.ports.periodic_runs import PeriodicRuns, Runs
from application.ports.served_scopes import ServedScopes
from application.schedules.schedule import Schedule, Slot, slots_by_key
from domain.work.due import is_overdue, next_due_at

PATIENCE: Final = timedelta(seconds=60)
"""So long after it is due nobody has failed: the schedulers of Workers look now and then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledSlot:
    kind: str
    scope: UUID | None
    interval: timedelta
    runs: Runs
    next_due_at: datetime | None
    """None: it waits or runs already."""
    is_overdue: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleOverview:
    slots: Sequence[ScheduledSlot]
    server_time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSchedules:
    schedules: Sequence[Schedule]
    scopes: ServedScopes
    runs: PeriodicRuns

    def __call__(self) -> ScheduleOverview:
        """Every slot of every active storage config, and the unscoped ones."""
        slots = slots_by_key(self.schedules, self.scopes.active(None))
        history = self.runs.of(list(slots))
        now = history.server_time
        return ScheduleOverview(
            slots=[
                _outlook(slot, interval, history.runs[key], now)
                for key, (slot, interval) in slots.items()
            ],
            server_time=now,
        )


def _outlook(slot: Slot, interval: timedelta, runs: Runs, now: datetime) -> ScheduledSlot:
    history = runs.history()
    return ScheduledSlot(
        kind=kind_of(type(slot.payload)),
        scope=slot.scope,
        interval=interval,
        runs=runs,
        next_due_at=next_due_at(history, interval=interval, now=now),
        is_overdue=is_overdue(history, interval=interval, now=now, patience=PATIENCE),
    )
