"""When a periodic kind is due. Nothing is remembered: the table of items is the only memory."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What the table says of one dedup key."""

    is_queued_or_running: bool
    last_finished_at: datetime | None


def is_due(history: History, *, interval: timedelta, now: datetime) -> bool:
    """Nothing with the key waits or runs, and the last one ended at least an interval ago."""
    due_at = next_due_at(history, interval=interval, now=now)
    return due_at is not None and due_at <= now


def next_due_at(history: History, *, interval: timedelta, now: datetime) -> datetime | None:
    """When it is due, which may be past; now where it never ran; None while one waits or runs."""
    if history.is_queued_or_running:
        return None
    last = history.last_finished_at
    return now if last is None else last + interval


def is_overdue(
    history: History, *, interval: timedelta, now: datetime, patience: timedelta
) -> bool:
    """It has been due for longer than `patience`, and nobody has enqueued it."""
    if history.is_queued_or_running:
        return False
    last = history.last_finished_at
    return last is None or last + interval + patience <= now
