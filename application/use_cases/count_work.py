"""Count the queue as an admin sees it."""

from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from application.ports.stopwatch import Stopwatch
from application.ports.work_item_counts import WorkItemCounter, WorkItemCounts
from application.ports.work_item_reader import ListFilter

COUNTED_UP_TO: Final = 10_000
SCOPED_UP_TO: Final = 100_000
GOOD_FOR_SECONDS: Final = 1.0
REMEMBERED: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CountWork:
    """Many open pages ask for the same again and again: an answer is good for a second."""

    counter: WorkItemCounter
    stopwatch: Stopwatch
    _remembered: dict[ListFilter, tuple[float, WorkItemCounts]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, which: ListFilter) -> WorkItemCounts:
        """The counts as they were at most a second ago; DatabaseUnavailable."""
        with self._lock:
            known = self._remembered.get(which)
            if known and self.stopwatch.elapsed() - known[0] < GOOD_FOR_SECONDS:
                return known[1]
        asked = self.stopwatch.elapsed()
        counts = self.counter.count(which, up_to=COUNTED_UP_TO, scoped_up_to=SCOPED_UP_TO)
        with self._lock:
            if len(self._remembered) >= REMEMBERED:
                self._remembered.clear()
            self._remembered[which] = (asked, counts)
        return counts
