"""An outcome in hand: tried until the database answers, and never instead of another item."""

from collections.abc import Mapping

import pytest
from typing_extensions import override

from application.execution.inbox import FencedOff, ShutDown, ShutDownNow
from application.ports.work_item_canceller import WorkItemCanceller
from application.ports.work_item_execution import Answer, OutcomeRefused, OutcomeUnstorable
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.outcome import Cancelled, Failed, Outcome, Released, Stalled, Succeeded
from domain.work.progress import NO_PROGRESS, Progress, progress_of
from domain.work.status import WorkStatus
from tests.fakes.executor import RunningItem, write_outcome
from tests.fakes.work_table import InMemoryWorkItemExecution
from tests.log_records import caught_by

SEEN = progress_of(1, 2, "n")


class Flaky(InMemoryWorkItemExecution):
    away_for = 0
    """How many tries fail before one gets through."""
    unstorable = False
    refuses_all = False
    refusals = 0
    """How many tries are refused for a reason that lies elsewhere than in the values."""
    tries = 0
    cancels_after_finish: WorkItemCanceller | None = None

    def _reach(self) -> None:
        self.tries += 1
        if self.tries <= self.away_for:
            raise DatabaseUnavailable("away")
        if self.tries <= self.refusals:
            raise OutcomeRefused("refused")

    @override
    def finish(
        self, tag: AttemptTag, outcome: Succeeded | Failed | Cancelled, progress: Progress
    ) -> Answer:
        self._reach()
        if self.refuses_all or (self.unstorable and isinstance(outcome, Succeeded)):
            raise OutcomeUnstorable("no")
        answer = super().finish(tag, outcome, progress)
        if self.cancels_after_finish is not None:
            self.cancels_after_finish.cancel(tag.item_id)
        return answer

    @override
    def release(self, tag: AttemptTag, partial: Mapping[str, object] | None) -> Answer:
        self._reach()
        return super().release(tag, partial)

    @override
    def recover_dead(self, tag: AttemptTag, *, stall_limit: int) -> Answer:
        self._reach()
        return super().recover_dead(tag, stall_limit=stall_limit)


class Stage(RunningItem[Flaky]):
    def __init__(self) -> None:
        super().__init__(Flaky)

    def write(
        self, outcome: Outcome, give_up_at: float | None = None, stall_limit: int = 3
    ) -> None:
        write = write_outcome(self.store, self.inbox, stall_limit=stall_limit)
        write(self.tag, outcome, SEEN, give_up_at)


@pytest.fixture
def stage() -> Stage:
    return Stage()


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Succeeded({"n": 1}), WorkStatus.SUCCEEDED),
        (Failed("x"), WorkStatus.FAILED),
        (Released(None), WorkStatus.QUEUED),
        (Stalled(), WorkStatus.QUEUED),
    ],
)
def test_each_outcome_is_written_once(stage: Stage, outcome: Outcome, status: WorkStatus) -> None:
    stage.write(outcome)
    assert (stage.status(), stage.store.tries) == (status, 1)
    assert stage.inbox.waits == []


def test_progress_goes_with_the_outcome(stage: Stage) -> None:
    stage.write(Succeeded({"n": 1}))
    item = stage.item()
    assert (item.progress, item.result) == (SEEN, {"n": 1})


def test_a_release_carries_its_partial_result_for_a_cancel_that_came_meanwhile(
    stage: Stage,
) -> None:
    stage.ports.canceller.cancel(stage.item_id)
    stage.write(Released({"n": 2}))
    item = stage.item()
    assert (item.status, item.result) == (WorkStatus.CANCELLED, {"n": 2})


def test_cancelled_is_written_with_its_partial_result(stage: Stage) -> None:
    stage.ports.canceller.cancel(stage.item_id)
    stage.write(Cancelled({"n": 3}))
    item = stage.item()
    assert (item.status, item.result, item.progress) == (WorkStatus.CANCELLED, {"n": 3}, SEEN)
    assert stage.store.tries == 1


def test_a_cancel_that_comes_between_the_two_statements_keeps_the_partial_result(
    stage: Stage,
) -> None:
    stage.store.cancels_after_finish = stage.ports.canceller
    stage.write(Cancelled({"n": 3}))
    item = stage.item()
    assert (item.status, item.result) == (WorkStatus.CANCELLED, {"n": 3})


def test_a_dead_run_is_given_up_at_the_stall_limit(stage: Stage) -> None:
    stage.write(Stalled(), stall_limit=1)
    assert stage.status() is WorkStatus.FAILED


def test_it_is_tried_with_growing_pauses_until_the_database_answers(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.store.away_for = 8
    stage.write(Succeeded({}))
    assert stage.status() is WorkStatus.SUCCEEDED
    assert stage.inbox.waits == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    first = caplog.records[0]
    assert first.getMessage() == ("the outcome is not written yet: away; trying again in 0.1 s")
    assert first.__dict__["item_id"] == stage.item_id
    assert isinstance(caught_by(first), DatabaseUnavailable)


def test_an_outcome_that_cannot_be_stored_fails_the_item_instead(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.store.unstorable = True
    stage.write(Succeeded({}))
    item = stage.item()
    assert item.status is WorkStatus.FAILED
    assert item.error == "OutcomeUnstorable: the database refused the outcome"
    assert item.progress == NO_PROGRESS
    assert caplog.records[0].getMessage() == "the outcome cannot be stored"
    assert caplog.records[0].__dict__["item_id"] == stage.item_id


def test_a_database_that_refuses_every_outcome_is_asked_with_pauses_and_given_up(
    stage: Stage,
) -> None:
    stage.store.refuses_all = True
    began = stage.stopwatch.seconds
    stage.inbox.at(1, ShutDown())
    stage.write(Succeeded({}))
    assert stage.inbox.waits[:3] == [0.1, 0.2, 0.4]
    assert 9 <= stage.stopwatch.seconds - began < 9 + 5
    assert stage.status() is WorkStatus.RUNNING


@pytest.mark.parametrize(
    ("outcome", "refusals", "ends"),
    [
        # Pauses of 0.1, 0.2, 0.4, 0.8, 1.6, 3.2 and then 5 s: the eleventh try is after 26.3 s,
        # the twelfth after 31.3 s.
        (Succeeded({"n": 1}), 11, WorkStatus.SUCCEEDED),
        (Succeeded({"n": 1}), 12, WorkStatus.FAILED),
        (Succeeded({"n": 1}), 20, WorkStatus.FAILED),
        (Released(None), 20, WorkStatus.QUEUED),
        (Stalled(), 20, WorkStatus.QUEUED),
    ],
)
def test_a_statement_that_is_refused_is_tried_again_and_gives_way_in_the_end(
    stage: Stage, outcome: Outcome, refusals: int, ends: WorkStatus
) -> None:
    stage.store.refusals = refusals
    stage.write(outcome)
    item = stage.item()
    assert item.status is ends
    assert stage.store.tries == refusals + 1
    if ends is WorkStatus.FAILED:
        assert item.error == "OutcomeRefused: the database refused to write the outcome"
        assert item.progress == NO_PROGRESS


def test_half_a_minute_of_refusals_is_enough(stage: Stage) -> None:
    class Slow(Flaky):
        @override
        def _reach(self) -> None:
            self.tries += 1
            if self.tries == 2:
                stage.stopwatch.seconds = began + 30
            if self.tries <= 2:
                raise OutcomeRefused("refused")

    began = stage.stopwatch.seconds
    stage.store = Slow(stage.ports.table)
    stage.write(Succeeded({"n": 1}))
    assert stage.status() is WorkStatus.FAILED


def test_a_cancelled_run_gives_way_too_and_an_error_stays_what_it_is(stage: Stage) -> None:
    stage.store.refusals = 20
    stage.write(Failed("its own words"))
    assert stage.item().error == "its own words"
    again = Stage()
    again.ports.canceller.cancel(again.item_id)
    again.store.refusals = 12
    again.write(Cancelled({"n": 3}))
    assert again.status() is WorkStatus.FAILED


def test_outages_are_no_refusals(stage: Stage) -> None:
    stage.store.away_for, stage.store.refusals = 20, 21
    stage.write(Succeeded({}))
    assert stage.status() is WorkStatus.SUCCEEDED


def test_other_signals_only_make_it_try_sooner(stage: Stage) -> None:
    stage.store.away_for = 2
    stage.inbox.at(0.05, FencedOff(stage.tag))
    stage.write(Succeeded({}))
    assert stage.status() is WorkStatus.SUCCEEDED


def test_while_nobody_waits_a_limit_is_not_looked_at(stage: Stage) -> None:
    stage.store.away_for = 5
    stage.write(Succeeded({}), give_up_at=stage.stopwatch.seconds)
    assert stage.status() is WorkStatus.SUCCEEDED


def test_a_shut_down_meanwhile_leaves_it_the_grace_time(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.store.away_for = 1_000
    began = stage.stopwatch.seconds
    stage.inbox.at(1, ShutDown())
    stage.write(Succeeded({}))
    assert 9 <= stage.stopwatch.seconds - began < 9 + 5
    assert stage.status() is WorkStatus.RUNNING
    assert caplog.records[-1].getMessage() == "the outcome is given up"
    assert caplog.records[-1].__dict__["item_id"] == stage.item_id


def test_a_shut_down_that_began_with_the_run_keeps_its_limit(stage: Stage) -> None:
    stage.store.away_for = 1_000
    began = stage.stopwatch.seconds
    stage.inbox.put(ShutDown())
    stage.write(Released(None), give_up_at=began + 2)
    assert 2 <= stage.stopwatch.seconds - began < 2 + 2


def test_a_second_signal_gives_it_up_at_once(stage: Stage) -> None:
    stage.store.away_for = 1_000
    began = stage.stopwatch.seconds
    stage.inbox.at(1, ShutDownNow())
    stage.write(Succeeded({}), give_up_at=began + 100)
    assert stage.stopwatch.seconds == began + 1


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (Succeeded({}), "Succeeded: the item is Succeeded"),
        (Released(None), "Released: the item is Queued"),
    ],
)
def test_what_was_written_is_logged_with_item_and_attempt(
    stage: Stage, outcome: Outcome, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    stage.write(outcome)
    [record] = caplog.records
    assert record.getMessage() == line
    assert record.__dict__["item_id"] == stage.item_id
    assert record.__dict__["attempt"] == 1


def test_an_item_that_is_gone_is_logged_and_no_error(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    del stage.ports.table.items[stage.item_id]
    stage.write(Succeeded({}))
    [record] = caplog.records
    assert record.getMessage() == "Succeeded: not written (UNKNOWN)"
    assert record.levelname == "INFO"
    assert record.__dict__["attempt"] == 1
