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
    if history.is_queued_or_running:
        return False
    last = history.last_finished_at
    return last is None or last + interval <= now
