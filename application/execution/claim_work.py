"""Take the next item that this Worker serves."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from application.ports.stopwatch import Stopwatch
from application.ports.work_item_execution import Answer, ClaimRequest, Serves, WorkItemExecution
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.outcome import Failed, Succeeded
from domain.work.progress import Progress


@dataclass(frozen=True, slots=True)
class Claimed:
    """An item that is ours, and when its claim was sent, on the stopwatch."""

    item: WorkItem
    sent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimWork:
    execution: WorkItemExecution
    serves: Serves
    worker: str
    lease: timedelta
    stopwatch: Stopwatch

    def __call__(self, kinds: Sequence[str]) -> Claimed | None:
        """The claimed item, or None where nothing waits; DatabaseUnavailable."""
        sent = self.stopwatch.elapsed()
        item = self.execution.claim(self._request(kinds))
        return None if item is None else Claimed(item, sent)

    def with_outcome(
        self, kinds: Sequence[str], tag: AttemptTag, outcome: Succeeded | Failed, progress: Progress
    ) -> tuple[Answer, Claimed | None]:
        """The same in one transaction with the outcome of the last item; None: ask without one."""
        sent = self.stopwatch.elapsed()
        answer, item = self.execution.finish_and_claim(tag, outcome, progress, self._request(kinds))
        return answer, None if item is None else Claimed(item, sent)

    def _request(self, kinds: Sequence[str]) -> ClaimRequest:
        return ClaimRequest(serves=self.serves, kinds=kinds, worker=self.worker, lease=self.lease)
