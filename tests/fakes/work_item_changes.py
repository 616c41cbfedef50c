"""Changes that a test makes up, and a database that it takes away."""

from dataclasses import dataclass, field
from datetime import datetime

from typing_extensions import override

from application.ports.work_item_changes import Change, ChangeBatch, WorkItemChanges
from domain.errors import DatabaseUnavailable
from tests.fakes.host_clock import InMemoryClock


@dataclass
class InMemoryWorkItemChanges(WorkItemChanges):
    clock: InMemoryClock
    changes: list[Change] = field(default_factory=list)
    asked: int = 0
    is_away: bool = False
    fault: Exception | None = None

    @override
    def newest(self, most: int) -> ChangeBatch:
        return self._batch(self.changes, most)

    @override
    def since(self, instant: datetime, most: int) -> ChangeBatch:
        return self._batch([each for each in self.changes if each.changed_at > instant], most)

    def _batch(self, found: list[Change], most: int) -> ChangeBatch:
        self.asked += 1
        if self.fault is not None:
            raise self.fault
        if self.is_away:
            raise DatabaseUnavailable("the database is away")
        return ChangeBatch(
            changes=found[-most:],
            is_complete=len(found) <= most,
            leases={},
            server_time=self.clock.now(),
        )
