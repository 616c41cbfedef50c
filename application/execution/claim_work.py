"""Take the next item that this Worker serves."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from application.ports.work_item_execution import Serves, WorkItemExecution
from domain.work.item import WorkItem


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimWork:
    execution: WorkItemExecution
    serves: Serves
    worker: str
    lease: timedelta

    def __call__(self, kinds: Sequence[str]) -> WorkItem | None:
        """The claimed item, or None where nothing waits; DatabaseUnavailable."""
        return self.execution.claim(self.serves, kinds=kinds, worker=self.worker, lease=self.lease)
