"""The executor against an in-memory store, with time moved by hand."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from typing_extensions import override

from application.execution.claim_work import Claimed, ClaimWork
from application.execution.execute_work import ExecuteWork
from application.execution.finish_and_claim import FinishAndClaim
from application.execution.inbox import (
    CancelSeen,
    FencedOff,
    RunDied,
    RunEnded,
    ShutDown,
    ShutDownNow,
)
from application.execution.keep_lease import KeepLease
from application.execution.write_outcome import WriteOutcome
from application.ports.runner import (
    Assignment,
    Raised,
    Report,
    Returned,
    RunnerUnfit,
    Stopped,
)
from application.ports.work_item_execution import Answer, Serves
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.outcome import Cancelled, Failed, Succeeded
from domain.work.progress import Progress, progress_of
from domain.work.status import WorkStatus
from tests.contracts.harness import KINDS, LEASE, InMemoryPorts
from tests.fakes.execution import HandMovedStopwatch, ScriptedInbox, ScriptedRunner
from tests.fakes.work_table import InMemoryWorkItemExecution

GRACE = 7.5
SEEN = progress_of(4, 9, "seen")
ZOMBIE = AttemptTag(item_id=uuid4(), attempt=1)


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


@dataclass
class Stage:
    ports: InMemoryPorts = field(default_factory=InMemoryPorts)
    stopwatch: HandMovedStopwatch = field(default_factory=HandMovedStopwatch)

    def __post_init__(self) -> None:
        self.inbox = ScriptedInbox(self.stopwatch)
        self.store = Away(self.ports.table)
        self.runner = ScriptedRunner(self.stopwatch, newest=progress_of(1, 9, "newest"))
        self.keep_lease = KeepLease(
            execution=self.ports.execution,
            runner=self.runner,
            stopwatch=self.stopwatch,
            inbox=self.inbox,
            lease=LEASE,
        )
        self.execute = ExecuteWork(
            runner=self.runner,
            keep_lease=self.keep_lease,
            finish_and_claim=FinishAndClaim(
                claim=ClaimWork(
                    execution=self.store,
                    serves=Serves(),
                    worker="all@here",
                    lease=LEASE,
                    stopwatch=self.stopwatch,
                ),
                write_outcome=WriteOutcome(
                    execution=self.store,
                    inbox=self.inbox,
                    stopwatch=self.stopwatch,
                    stall_limit=3,
                    longest_pause=timedelta(seconds=5),
                    grace=timedelta(seconds=GRACE),
                ),
                inbox=self.inbox,
            ),
            inbox=self.inbox,
            stopwatch=self.stopwatch,
            grace=timedelta(seconds=GRACE),
        )
        self.item_id = self.ports.enqueue(key="k")
        claimed = self.ports.claim()
        assert claimed is not None
        self.claimed: WorkItem = claimed
        self.tag = claimed.tag()
        self.began = self.stopwatch.seconds

    def ends(self, seconds: float, report: Report, progress: Progress = SEEN) -> None:
        self.inbox.at(seconds, RunEnded(self.tag, report, progress))

    def run(self) -> WorkItem:
        # The beats keep the lease good, as the beating thread would.
        self.execute(Claimed(self.claimed, self.stopwatch.elapsed()), KINDS)
        return self.ports.item(self.item_id)

    def after(self) -> float:
        return self.stopwatch.seconds - self.began


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_the_runner_is_given_the_attempt_with_its_payload(stage: Stage) -> None:
    stage.ends(1, Returned({}))
    stage.run()
    assert stage.runner.begun == [
        Assignment(tag=stage.tag, kind="TokenCleanup", payload={"kind": "TokenCleanup"})
    ]
    assert stage.runner.stopped_at == stage.runner.killed_at == []


def test_a_returned_result_succeeds_with_the_last_progress(stage: Stage) -> None:
    stage.ends(3, Returned({"deleted": 7}))
    item = stage.run()
    assert (item.status, item.result) == (WorkStatus.SUCCEEDED, {"deleted": 7})
    assert item.progress == SEEN


def test_an_exception_fails_the_item_with_the_last_progress(stage: Stage) -> None:
    stage.ends(3, Raised("ValueError: no"))
    item = stage.run()
    assert (item.status, item.error, item.progress) == (WorkStatus.FAILED, "ValueError: no", SEEN)


def test_a_cancel_request_stops_the_handler_and_keeps_its_partial_result(stage: Stage) -> None:
    stage.ports.canceller.cancel(stage.item_id)
    stage.inbox.at(2, CancelSeen(stage.tag))
    stage.ends(4, Stopped({"found": 3}))
    item = stage.run()
    assert stage.runner.stopped_at == [stage.began + 2]
    assert (item.status, item.result) == (WorkStatus.CANCELLED, {"found": 3})
    assert stage.runner.killed_at == []


@pytest.mark.parametrize(
    ("report", "status"),
    [(Returned({}), WorkStatus.SUCCEEDED), (Raised("E: x"), WorkStatus.FAILED)],
)
def test_a_handler_that_ends_otherwise_after_a_cancel_ends_as_that(
    stage: Stage, report: Report, status: WorkStatus
) -> None:
    stage.ports.canceller.cancel(stage.item_id)
    stage.inbox.at(1, CancelSeen(stage.tag))
    stage.ends(2, report)
    assert stage.run().status is status


def test_a_cancel_seen_that_the_row_does_not_know_hands_the_item_back(stage: Stage) -> None:
    stage.inbox.at(1, CancelSeen(stage.tag))
    stage.ends(2, Stopped({"n": 1}))
    item = stage.run()
    assert (item.status, item.stalls) == (WorkStatus.QUEUED, 0)


def test_a_handler_that_stops_unasked_fails(stage: Stage) -> None:
    stage.ends(1, Stopped({"n": 1}))
    item = stage.run()
    assert (item.status, item.error) == (
        WorkStatus.FAILED,
        "WorkCancelled: the handler stopped without having been asked to",
    )


def test_a_shut_down_stops_the_handler_and_releases_without_a_stall(stage: Stage) -> None:
    stage.inbox.at(2, ShutDown())
    stage.ends(5, Stopped({"n": 1}))
    item = stage.run()
    assert stage.runner.stopped_at == [stage.began + 2]
    assert (item.status, item.stalls, item.result) == (WorkStatus.QUEUED, 0, None)


def test_a_cancel_during_the_drain_ends_the_item_as_cancelled(stage: Stage) -> None:
    stage.inbox.at(1, ShutDown())
    stage.inbox.at(2, CancelSeen(stage.tag))
    stage.ports.canceller.cancel(stage.item_id)
    stage.ends(3, Stopped({"n": 1}))
    item = stage.run()
    assert (item.status, item.result) == (WorkStatus.CANCELLED, {"n": 1})
    assert stage.runner.stopped_at == [stage.began + 1]


def test_a_cancel_that_lands_after_the_last_beat_of_a_drain_is_not_lost(stage: Stage) -> None:
    stage.inbox.at(1, ShutDown())
    stage.ports.canceller.cancel(stage.item_id)
    stage.ends(3, Stopped({"n": 1}))
    item = stage.run()
    assert (item.status, item.result) == (WorkStatus.CANCELLED, {"n": 1})


def test_the_end_of_the_grace_time_kills_and_releases(stage: Stage) -> None:
    stage.inbox.at(2, ShutDown())
    item = stage.run()
    assert stage.runner.killed_at == [stage.began + 2 + GRACE]
    assert (item.status, item.stalls) == (WorkStatus.QUEUED, 0)


def test_a_handler_that_ignores_a_cancel_is_killed_after_the_grace_time(stage: Stage) -> None:
    stage.ports.canceller.cancel(stage.item_id)
    stage.inbox.at(2, CancelSeen(stage.tag))
    item = stage.run()
    assert stage.runner.killed_at == [stage.began + 2 + GRACE]
    assert (item.status, item.stalls, item.result) == (WorkStatus.CANCELLED, 0, None)


def test_a_later_reason_gives_no_more_time(stage: Stage) -> None:
    stage.ports.canceller.cancel(stage.item_id)
    stage.inbox.at(2, CancelSeen(stage.tag))
    stage.inbox.at(7, ShutDown())
    stage.run()
    assert stage.runner.killed_at == [stage.began + 2 + GRACE]
    assert stage.runner.stopped_at == [stage.began + 2]


def test_a_second_signal_kills_and_releases_at_once(stage: Stage) -> None:
    stage.inbox.at(2, ShutDown())
    stage.inbox.at(3, ShutDownNow())
    item = stage.run()
    assert stage.runner.killed_at == [stage.began + 3]
    assert (item.status, item.stalls) == (WorkStatus.QUEUED, 0)


def test_a_run_that_dies_stalls_at_once(stage: Stage) -> None:
    stage.inbox.at(2, RunDied(stage.tag))
    item = stage.run()
    assert stage.after() == 2
    assert (item.status, item.stalls, item.claimed_by) == (WorkStatus.QUEUED, 1, None)
    assert stage.runner.killed_at == []


def test_a_run_that_dies_three_times_fails_as_stalled(stage: Stage) -> None:
    for _ in range(2):
        stage.inbox.at(1, RunDied(stage.tag))
        stage.run()
        claimed = stage.ports.claim()
        assert claimed is not None
        stage.claimed, stage.tag = claimed, claimed.tag()
    stage.inbox.at(1, RunDied(stage.tag))
    item = stage.run()
    assert (item.status, item.stalls) == (WorkStatus.FAILED, 3)


def test_a_run_that_dies_while_shutting_down_is_still_a_stall(stage: Stage) -> None:
    stage.inbox.at(1, ShutDown())
    stage.inbox.at(2, RunDied(stage.tag))
    assert stage.run().stalls == 1


@pytest.mark.parametrize("report", [Returned({}), Raised("E"), Stopped({"n": 1})])
def test_whoever_is_fenced_off_stops_and_writes_nothing(stage: Stage, report: Report) -> None:
    before = stage.ports.item(stage.item_id)
    stage.inbox.at(2, FencedOff(stage.tag))
    stage.ends(3, report)
    assert stage.run() == before
    assert stage.runner.stopped_at == [stage.began + 2]


def test_a_fenced_handler_that_ignores_the_token_is_killed_after_the_grace_time(
    stage: Stage,
) -> None:
    before = stage.ports.item(stage.item_id)
    stage.inbox.at(2, FencedOff(stage.tag))
    assert stage.run() == before
    assert stage.runner.killed_at == [stage.began + 2 + GRACE]


def test_a_whole_lease_without_a_good_beat_fences_the_worker_off(stage: Stage) -> None:
    before = stage.ports.item(stage.item_id)
    stage.ends(65, Stopped(None))
    assert stage.run() == before
    assert stage.runner.stopped_at == [stage.began + 60]


def test_the_lease_is_counted_from_when_the_claim_was_sent(stage: Stage) -> None:
    stage.ends(65, Stopped(None))
    stage.execute(Claimed(stage.claimed, stage.stopwatch.elapsed() - 10), KINDS)
    assert stage.runner.stopped_at == [stage.began + 50]


def test_a_lapsed_worker_stops_its_handler_once(stage: Stage) -> None:
    stage.run()
    assert stage.runner.stopped_at == [stage.began + 60]
    assert stage.runner.killed_at == [stage.began + 60 + GRACE]


@pytest.mark.parametrize(
    "late",
    [
        RunEnded(ZOMBIE, Raised("of an earlier attempt"), SEEN),
        RunDied(ZOMBIE),
        RunDied(None),
        CancelSeen(ZOMBIE),
        FencedOff(ZOMBIE),
    ],
)
def test_what_an_earlier_attempt_says_is_not_listened_to(stage: Stage, late: Any) -> None:
    stage.inbox.at(1, late)
    stage.ends(2, Returned({"n": 1}))
    assert stage.run().status is WorkStatus.SUCCEEDED
    assert stage.runner.stopped_at == []


def test_beating_ends_with_the_item(stage: Stage) -> None:
    stage.ends(1, Returned({}))
    stage.run()
    before = stage.ports.item(stage.item_id)
    stage.keep_lease.beat()
    assert stage.ports.item(stage.item_id) == before
    stage.stopwatch.seconds += 1_000
    assert not stage.keep_lease.has_lapsed()


def test_beating_ends_also_when_the_runner_raises(stage: Stage) -> None:
    stage.runner.begins_with = RunnerUnfit("gone")
    with pytest.raises(RunnerUnfit):
        stage.run()
    stage.stopwatch.seconds += 1_000
    assert not stage.keep_lease.has_lapsed()


def test_the_lease_is_looked_at_every_second_and_the_grace_time_exactly(stage: Stage) -> None:
    stage.inbox.at(0.5, ShutDown())
    stage.run()
    assert stage.inbox.waits == [1.0] * 8 + [0.5]
    assert stage.runner.killed_at == [stage.began + 0.5 + GRACE]


def test_the_attempt_is_beaten_for_while_it_runs(stage: Stage) -> None:
    def beat() -> None:
        stage.ports.advance(timedelta(seconds=2))
        stage.keep_lease.beat()
        leases.append(stage.ports.item(stage.item_id).lease_until)

    leases: list[object] = []
    stage.inbox.at(2, beat)
    stage.ends(3, Returned({}))
    stage.run()
    assert leases == [stage.ports.now() + LEASE]


def test_while_shutting_down_an_outcome_is_tried_until_the_grace_time_ends(stage: Stage) -> None:
    stage.store.away = True
    stage.inbox.at(2, ShutDown())
    stage.ends(4, Returned({}))
    stage.run()
    assert 2 + GRACE <= stage.after() < 2 + GRACE + 4


def test_a_shut_down_after_a_cancel_gives_the_outcome_its_own_grace_time(stage: Stage) -> None:
    stage.ports.canceller.cancel(stage.item_id)
    stage.store.away = True
    stage.inbox.at(2, CancelSeen(stage.tag))
    stage.ends(9, Returned({}))
    stage.inbox.at(9.05, ShutDown())
    stage.run()
    assert stage.after() >= 9 + GRACE


@pytest.mark.parametrize(
    ("signal", "line", "level"),
    [
        (FencedOff, "fenced off: nothing is written", "INFO"),
        (None, "no heartbeat for a whole lease: stopping", "WARNING"),
        (CancelSeen, "the handler did not stop in time and is killed", "WARNING"),
    ],
)
def test_what_the_operator_should_know_is_logged_with_the_item(
    stage: Stage, signal: Any, line: str, level: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    if signal is not None:
        stage.inbox.at(1, signal(stage.tag))
    stage.run()
    [record] = [each for each in caplog.records if each.getMessage() == line]
    assert (record.levelname, record.__dict__["item_id"]) == (level, stage.item_id)


def test_a_killed_runs_last_progress_is_kept(stage: Stage) -> None:
    seen = []

    def write(
        tag: object, _: object, progress: object, *, give_up_at: object, kinds: object
    ) -> None:
        seen.append((tag, progress, give_up_at, kinds))

    execute = replace(stage.execute, finish_and_claim=write)  # type: ignore[arg-type]
    stage.inbox.at(1, ShutDown())
    execute(Claimed(stage.claimed, stage.stopwatch.elapsed()), KINDS)
    assert seen == [(stage.tag, progress_of(1, 9, "newest"), stage.began + 1 + GRACE, KINDS)]
