"""When the next item is taken along with an outcome, and what happens when that fails."""

import pytest
from typing_extensions import override

from application.execution.claim_work import Claimed
from application.execution.inbox import ShutDown
from application.ports.work_item_execution import (
    Answer,
    ClaimRequest,
    OutcomeRefused,
    OutcomeUnstorable,
)
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.outcome import Cancelled, Failed, Outcome, Released, Stalled, Succeeded
from domain.work.progress import Progress, progress_of
from domain.work.status import WorkStatus
from tests.contracts.harness import KINDS
from tests.fakes.executor import RunningItem, finish_and_claim
from tests.fakes.work_table import InMemoryWorkItemExecution
from tests.log_records import caught_by

SEEN = progress_of(1, 2, "n")


class Store(InMemoryWorkItemExecution):
    """Raises its fault instead of the two in one, or after them as when an answer is lost."""

    fault: Exception | None = None
    is_answer_lost = False
    chained = 0

    @override
    def finish_and_claim(
        self,
        tag: AttemptTag,
        outcome: Succeeded | Failed,
        progress: Progress,
        request: ClaimRequest,
    ) -> tuple[Answer, WorkItem | None]:
        self.chained += 1
        if self.fault is not None and not self.is_answer_lost:
            raise self.fault
        written = super().finish_and_claim(tag, outcome, progress, request)
        if self.fault is not None:
            raise self.fault
        return written


class Stage(RunningItem[Store]):
    def __init__(self) -> None:
        super().__init__(Store)
        self.waiting = self.ports.enqueue()

    def move_on(self, outcome: Outcome, give_up_at: float | None = None) -> Claimed | None:
        move_on = finish_and_claim(self.store, self.inbox)
        return move_on(self.tag, outcome, SEEN, give_up_at=give_up_at, kinds=KINDS)


@pytest.fixture
def stage(caplog: pytest.LogCaptureFixture) -> Stage:
    caplog.set_level("DEBUG")
    return Stage()


def said(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(each.levelname, each.getMessage()) for each in caplog.records]


@pytest.mark.parametrize(
    ("outcome", "status"),
    [(Succeeded({"n": 1}), WorkStatus.SUCCEEDED), (Failed("E: x"), WorkStatus.FAILED)],
)
def test_the_next_item_comes_with_the_outcome_and_with_when_it_was_asked_for(
    stage: Stage, caplog: pytest.LogCaptureFixture, outcome: Outcome, status: WorkStatus
) -> None:
    stage.stopwatch.seconds = 77.5
    claimed = stage.move_on(outcome)
    item = stage.ports.item(stage.waiting)
    assert claimed == Claimed(item, 77.5)
    assert (item.claimed_by, item.attempt) == ("w@here", 1)
    assert stage.status() is status
    assert stage.item().progress == SEEN
    assert said(caplog) == [("INFO", f"{type(outcome).__name__}: the item is {status}")]
    assert caplog.records[0].__dict__["item_id"] == stage.item_id


def test_where_nothing_else_waits_there_is_no_next_item(stage: Stage) -> None:
    stage.ports.canceller.cancel(stage.waiting)
    assert stage.move_on(Succeeded({})) is None
    assert stage.status() is WorkStatus.SUCCEEDED


def test_whoever_is_told_to_stop_takes_nothing_more(stage: Stage) -> None:
    stage.inbox.put(ShutDown())
    assert stage.move_on(Succeeded({}), give_up_at=stage.stopwatch.seconds + 8) is None
    assert stage.status() is WorkStatus.SUCCEEDED
    assert stage.ports.item(stage.waiting).attempt == 0
    assert stage.store.chained == 0


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Cancelled(None), WorkStatus.CANCELLED),
        (Released(), WorkStatus.QUEUED),
        (Stalled(), WorkStatus.QUEUED),
    ],
)
def test_after_any_other_end_the_loop_looks_to_its_runner_first(
    stage: Stage, outcome: Outcome, status: WorkStatus
) -> None:
    if isinstance(outcome, Cancelled):
        stage.ports.canceller.cancel(stage.item_id)
    assert stage.move_on(outcome) is None
    assert stage.status() is status
    assert stage.store.chained == 0


@pytest.mark.parametrize(
    "fault", [DatabaseUnavailable("away"), OutcomeRefused("no"), OutcomeUnstorable("no")]
)
@pytest.mark.parametrize("is_answer_lost", [False, True])
def test_what_fails_is_written_alone(
    stage: Stage, caplog: pytest.LogCaptureFixture, fault: Exception, is_answer_lost: bool
) -> None:
    stage.store.fault, stage.store.is_answer_lost = fault, is_answer_lost
    assert stage.move_on(Succeeded({"n": 1})) is None
    assert stage.status() is WorkStatus.SUCCEEDED
    assert stage.item().progress == SEEN
    assert said(caplog) == [
        ("DEBUG", f"the outcome is tried alone: {fault}"),
        ("INFO", "Succeeded: the item is Succeeded"),
    ]


def test_an_impossible_row_is_logged_and_does_not_keep_the_outcome_back(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.store.fault, stage.store.is_answer_lost = ValueError("odd"), True
    assert stage.move_on(Failed("E: x")) is None
    assert stage.status() is WorkStatus.FAILED
    [error] = [each for each in caplog.records if each.levelname == "ERROR"]
    assert error.getMessage() == "cannot claim"
    assert str(caught_by(error)) == "odd"
    assert error.__dict__["item_id"] == stage.item_id


def test_an_outcome_that_is_written_alone_is_given_up_when_its_time_is_up(stage: Stage) -> None:
    class Away(Store):
        @override
        def finish(
            self, tag: AttemptTag, outcome: Succeeded | Failed | Cancelled, progress: Progress
        ) -> Answer:
            raise DatabaseUnavailable("away")

    stage.store = Away(stage.ports.table)
    until = stage.stopwatch.seconds + 1
    stage.inbox.at(0.1, ShutDown())
    assert stage.move_on(Succeeded({}), give_up_at=until) is None
    assert stage.status() is WorkStatus.RUNNING
    assert until <= stage.stopwatch.seconds < until + 2
