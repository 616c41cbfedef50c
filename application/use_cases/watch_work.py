"""Follow the queue live: one look at the database serves every watcher of this process.

The feed remembers the newest change of each of the items that changed last (the ring), so that
it neither tells a change twice nor asks the database for each watcher that comes back.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from application.ports.stopwatch import Stopwatch
from application.ports.work_item_changes import Change, ChangeBatch, WorkItemChanges

RESUME_MOST: Final = 1_000
"""A watcher that more changes would follow for lists again instead."""
RING_SIZE: Final = 4_000
FUTURE_SLACK: Final = timedelta(milliseconds=500)


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """A change, and the cursor that a watcher stands at after it."""

    cursor: datetime
    change: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What one look at the database brought."""

    events: Sequence[FeedEvent]
    must_reset: bool
    """More changed than can be told: every watcher has to list again."""
    leases: Mapping[UUID, datetime]
    server_time: datetime


@dataclass(kw_only=True)
class ChangeFeed:
    """`query` may wait and runs in a thread; `take` and `resume` belong to the event loop.

    A change may commit later than its time says, by as much as `lookback`: each query looks so far
    back from the look before it, and what was told already is left out. (Back from that look and
    not from the cursor: after a burst an idle table would show the same burst for ever.)
    """

    changes: WorkItemChanges
    stopwatch: Stopwatch
    lookback: timedelta
    ring_size: int = RING_SIZE
    resume_most: int = RESUME_MOST
    cursor: datetime | None = None
    """The newest change told; None before the first look."""
    _ring: OrderedDict[UUID, Change] = field(default_factory=OrderedDict)
    _told_since: datetime | None = None
    """Changes up to here may have left the ring; None: none has."""
    _server_time: datetime | None = None
    _looked_at: float = 0.0

    def query(self) -> ChangeBatch:
        """Ask the database; DatabaseUnavailable."""
        if self._server_time is None:
            return self.changes.newest(self.ring_size)
        return self.changes.since(self._server_time - self.lookback, self.ring_size)

    def take(self, batch: ChangeBatch) -> Look:
        """Remember what the query brought; the events are those that nobody was told of yet."""
        is_first = self.cursor is None
        self._server_time, self._looked_at = batch.server_time, self.stopwatch.elapsed()
        if is_first or not batch.is_complete:
            self._start_over(batch)
            events = []
        else:
            events = [self._tell(change) for change in batch.changes if self._is_news(change)]
        return Look(
            events=events,
            must_reset=not is_first and not batch.is_complete,
            leases=batch.leases,
            server_time=batch.server_time,
        )

    def resume(self, cursor: datetime) -> Sequence[FeedEvent] | None:
        """What a watcher that stands at `cursor` may have missed; None: it has to list again.

        It may repeat an event, and never leaves one out. Before the first look nobody can resume.
        """
        oldest = cursor - self.lookback
        if self._server_time is None or self._has_forgotten(oldest):
            return None
        if cursor > self._latest_possible(self._server_time) + FUTURE_SLACK:
            return None
        missed = sorted(
            (change for change in self._ring.values() if change.changed_at > oldest),
            key=lambda change: (change.changed_at, change.item_id),
        )
        if sum(change.changed_at > cursor for change in missed) > self.resume_most:
            return None
        return [FeedEvent(max(cursor, change.changed_at), change) for change in missed]

    def _start_over(self, batch: ChangeBatch) -> None:
        self._ring.clear()
        for change in batch.changes:
            self._ring[change.item_id] = change
        newest = batch.changes[-1].changed_at if batch.changes else batch.server_time
        self.cursor = newest if self.cursor is None else max(self.cursor, newest)
        if not batch.is_complete:
            self._told_since = batch.changes[0].changed_at

    def _is_news(self, change: Change) -> bool:
        known = self._ring.get(change.item_id)
        return known is None or known.changed_at != change.changed_at

    def _tell(self, change: Change) -> FeedEvent:
        assert self.cursor is not None  # noqa: S101  # set by the first look
        self._ring[change.item_id] = change
        self._ring.move_to_end(change.item_id)
        if len(self._ring) > self.ring_size:
            forgotten = self._ring.pop(next(iter(self._ring)))
            self._told_since = max(forgotten.changed_at, self._told_since or forgotten.changed_at)
        self.cursor = max(self.cursor, change.changed_at)
        return FeedEvent(self.cursor, change)

    def _latest_possible(self, server_time: datetime) -> datetime:
        """The newest cursor that anyone can stand at: now, or ahead of a clock stepped back."""
        now = server_time + timedelta(seconds=self.stopwatch.elapsed() - self._looked_at)
        return max(now, self.cursor or now)

    def _has_forgotten(self, instant: datetime) -> bool:
        return self._told_since is not None and instant < self._told_since
