"""The executor in the middle of one item, against an in-memory store, with time moved by hand."""

from datetime import timedelta

from typing_extensions import override

from application.execution.claim_work import Claimed
from application.execution.inbox import RunEnded
from application.ports.runner import Report
from application.ports.work_item_execution import Answer
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.outcome import Cancelled, Failed, Succeeded
from domain.work.progress import Progress, progress_of
from tests.contracts.harness import KINDS
from tests.fakes.execution import ScriptedRunner
from tests.fakes.executor import RunningItem, execute_work
from tests.fakes.work_table import InMemoryWorkItemExecution

GRACE = 7.5
SEEN = progress_of(4, 9, "seen")


class Away(InMemoryWorkItemExecution):
    """Cannot be reached to finish anything, while it is away."""

    away = False

    @override
    def finish(
        self, tag: AttemptTag, outcome: Succeeded | Failed | Cancelled, progress: Progress
    ) -> Answer:
        if self.away:
            raise DatabaseUnavailable("away")
        return super().finish(tag, outcome, progress)


class Stage(RunningItem[Away]):
    def __init__(self) -> None:
        super().__init__(Away)
        self.runner = ScriptedRunner(self.stopwatch, newest=progress_of(1, 9, "newest"))
        self.execute = execute_work(
            self.store, self.inbox, self.runner, grace=timedelta(seconds=GRACE)
        )
        self.keep_lease = self.execute.keep_lease
        self.claimed = self.item()
        self.began = self.stopwatch.seconds

    def ends(self, seconds: float, report: Report, progress: Progress = SEEN) -> None:
        self.inbox.at(seconds, RunEnded(self.tag, report, progress))

    def run(self) -> WorkItem:
        # The beats keep the lease good, as the beating thread would.
        self.execute(Claimed(self.claimed, self.stopwatch.elapsed()), KINDS)
        return self.item()

    def after(self) -> float:
        return self.stopwatch.seconds - self.began
