"""A run from the start of its handler to the end that the handler gives it."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from application.execution.inbox import CancelSeen, FencedOff, RunDied, RunEnded
from application.ports.runner import Assignment, Raised, Returned, RunnerUnfit, Stopped
from domain.work.attempt import AttemptTag
from domain.work.status import WorkStatus
from tests.application.execution.stage import SEEN, Stage
from tests.contracts.harness import LEASE

ZOMBIE = AttemptTag(item_id=uuid4(), attempt=1)


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


def test_a_handler_that_stops_unasked_fails(stage: Stage) -> None:
    stage.ends(1, Stopped({"n": 1}))
    item = stage.run()
    assert (item.status, item.error) == (
        WorkStatus.FAILED,
        "WorkCancelled: the handler stopped without having been asked to",
    )


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
    before = stage.item()
    stage.keep_lease.beat()
    assert stage.item() == before
    stage.stopwatch.seconds += 1_000
    assert not stage.keep_lease.has_lapsed()


def test_beating_ends_also_when_the_runner_raises(stage: Stage) -> None:
    stage.runner.begins_with = RunnerUnfit("gone")
    with pytest.raises(RunnerUnfit):
        stage.run()
    stage.stopwatch.seconds += 1_000
    assert not stage.keep_lease.has_lapsed()


def test_the_attempt_is_beaten_for_while_it_runs(stage: Stage) -> None:
    def beat() -> None:
        stage.ports.advance(timedelta(seconds=2))
        stage.keep_lease.beat()
        leases.append(stage.item().lease_until)

    leases: list[object] = []
    stage.inbox.at(2, beat)
    stage.ends(3, Returned({}))
    stage.run()
    assert leases == [stage.ports.now() + LEASE]


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
