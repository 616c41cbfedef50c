"""The main loop around doubles: when it claims, and when it does not."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from typing_extensions import override

from application.execution.claim_work import ClaimWork
from application.execution.execute_work import ExecuteWork
from application.execution.inbox import Inbox, ShutDown, ShutDownNow
from application.execution.keep_lease import KeepLease
from application.execution.write_outcome import WriteOutcome
from application.ports.runner import RunnerUnfit
from application.ports.work_item_execution import Serves
from domain.errors import DatabaseUnavailable
from domain.work.item import WorkItem
from domain.work.status import WorkStatus
from entrypoints.worker.loop import WorkerLoop
from tests.contracts.harness import LEASE, InMemoryPorts
from tests.fakes.execution import HandMovedStopwatch, ScriptedInbox, ScriptedRunner
from tests.fakes.work_table import InMemoryWorkItemExecution
from tests.log_records import caught_by

GRACE = timedelta(seconds=8)


class Stage:
    def __init__(self) -> None:
        self.ports = InMemoryPorts()
        self.store: InMemoryWorkItemExecution = InMemoryWorkItemExecution(self.ports.table)
        self.stopwatch = HandMovedStopwatch()
        self.inbox: Inbox = ScriptedInbox(self.stopwatch)
        self.runner = ScriptedRunner(self.stopwatch, kinds=("TokenCleanup",))

    def run(self) -> int:
        keep_lease = KeepLease(
            execution=self.store,
            runner=self.runner,
            stopwatch=self.stopwatch,
            inbox=self.inbox,
            lease=LEASE,
        )
        write_outcome = WriteOutcome(
            execution=self.store,
            inbox=self.inbox,
            stopwatch=self.stopwatch,
            stall_limit=3,
            longest_pause=timedelta(seconds=5),
            grace=GRACE,
        )
        return WorkerLoop(
            claim=ClaimWork(execution=self.store, serves=Serves(), worker="w", lease=LEASE),
            execute=ExecuteWork(
                runner=self.runner,
                keep_lease=keep_lease,
                write_outcome=write_outcome,
                inbox=self.inbox,
                stopwatch=self.stopwatch,
                grace=GRACE,
            ),
            runner=self.runner,
            inbox=self.inbox,
            stopwatch=self.stopwatch,
            side_loops=(),
            poll_seconds=2,
            grace_seconds=8,
            exit_slack_seconds=1.5,
        ).run()


@pytest.fixture
def stage() -> Stage:
    return Stage()


def at(stage: Stage, seconds: float, signal: ShutDown | ShutDownNow) -> None:
    assert isinstance(stage.inbox, ScriptedInbox)
    stage.inbox.at(seconds, signal)


def test_told_to_stop_while_the_runner_starts_it_claims_nothing(stage: Stage) -> None:
    class Slow(ScriptedRunner):
        starts = 0

        @override
        def ensure_ready(self) -> Sequence[str]:
            self.starts += 1
            if self.starts == 2:  # the first was before the loop
                stage.inbox.put(ShutDown())
            return super().ensure_ready()

    stage.runner = Slow(stage.stopwatch, kinds=("TokenCleanup",))
    item_id = stage.ports.enqueue()
    assert stage.run() == 0
    assert stage.ports.item(item_id).status is WorkStatus.QUEUED


def test_a_fault_of_the_claim_is_logged_once_and_the_next_poll_tries_again(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    class Faulty(InMemoryWorkItemExecution):
        @override
        def claim(
            self, serves: Serves, *, kinds: Sequence[str], worker: str, lease: timedelta
        ) -> WorkItem | None:
            raise faults.pop(0)

    faults = [ValueError("odd"), ValueError("odd"), DatabaseUnavailable("away")]
    stage.store = Faulty(stage.ports.table)
    at(stage, 5, ShutDown())
    assert stage.run() == 0
    assert faults == []
    assert [record.getMessage() for record in caplog.records] == [
        "cannot claim; trying again at every poll",
        "cannot claim: away; trying again at every poll",
    ]
    assert isinstance(caught_by(caplog.records[1]), DatabaseUnavailable)


def test_a_runner_that_never_comes_up_ends_the_worker_with_a_status(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    class Unfit(ScriptedRunner):
        starts = 0

        @override
        def ensure_ready(self) -> Sequence[str]:
            self.starts += 1
            if self.starts > 1:
                raise RunnerUnfit("no")
            return super().ensure_ready()

    stage.runner = Unfit(stage.stopwatch)
    assert stage.run() == 1
    assert [record.getMessage() for record in caplog.records][-1] == "no (5 in a row)"


@pytest.mark.parametrize(
    ("signal", "status"), [(ShutDown(), 0), (ShutDownNow(), 0), (ShutDownNow(broken="x"), 1)]
)
def test_how_it_was_stopped_is_its_status(
    stage: Stage, signal: ShutDown | ShutDownNow, status: int
) -> None:
    at(stage, 1, signal)
    assert stage.run() == status
    assert len(stage.runner.killed_at) == 1
