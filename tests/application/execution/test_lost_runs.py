"""A run that dies, and one whose claim is lost: fenced off, or a lease without a good beat."""

import pytest

from application.execution.claim_work import Claimed
from application.execution.inbox import CancelSeen, FencedOff, RunDied, ShutDown
from application.ports.runner import Interrupted, Raised, Report, Returned, Stopped
from domain.work.status import WorkStatus
from tests.application.execution.stage import GRACE, Stage
from tests.contracts.harness import KINDS


@pytest.fixture
def stage() -> Stage:
    return Stage()


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


def test_a_run_without_its_database_stalls_at_once_and_is_begun_anew(stage: Stage) -> None:
    stage.ends(2, Interrupted())
    item = stage.run()
    assert stage.after() == 2
    assert (item.status, item.stalls, item.error) == (WorkStatus.QUEUED, 1, None)


def test_a_run_without_its_database_ends_as_cancelled_where_that_was_asked(stage: Stage) -> None:
    stage.ports.canceller.cancel(stage.item_id)
    stage.inbox.at(1, CancelSeen(stage.tag))
    stage.ends(2, Interrupted())
    assert stage.run().status is WorkStatus.CANCELLED


def test_a_run_without_its_database_is_handed_back_while_shutting_down(stage: Stage) -> None:
    stage.inbox.at(1, ShutDown())
    stage.ends(2, Interrupted())
    item = stage.run()
    assert (item.status, item.stalls) == (WorkStatus.QUEUED, 0)


@pytest.mark.parametrize("report", [Returned({}), Raised("E"), Stopped({"n": 1}), Interrupted()])
def test_whoever_is_fenced_off_stops_and_writes_nothing(stage: Stage, report: Report) -> None:
    before = stage.item()
    stage.inbox.at(2, FencedOff(stage.tag))
    stage.ends(3, report)
    assert stage.run() == before
    assert stage.runner.stopped_at == [stage.began + 2]


def test_a_fenced_handler_that_ignores_the_token_is_killed_after_the_grace_time(
    stage: Stage,
) -> None:
    before = stage.item()
    stage.inbox.at(2, FencedOff(stage.tag))
    assert stage.run() == before
    assert stage.runner.killed_at == [stage.began + 2 + GRACE]


def test_a_whole_lease_without_a_good_beat_fences_the_worker_off(stage: Stage) -> None:
    before = stage.item()
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
