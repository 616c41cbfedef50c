"""A run that is asked to stop, by a cancel or a shut-down, and the grace time that it has."""

from dataclasses import replace

import pytest

from application.execution.claim_work import Claimed
from application.execution.inbox import CancelSeen, ShutDown, ShutDownNow
from application.ports.runner import Raised, Report, Returned, Stopped
from domain.work.progress import progress_of
from domain.work.status import WorkStatus
from tests.application.execution.stage import GRACE, Stage
from tests.contracts.harness import KINDS


@pytest.fixture
def stage() -> Stage:
    return Stage()


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


def test_the_lease_is_looked_at_every_second_and_the_grace_time_exactly(stage: Stage) -> None:
    stage.inbox.at(0.5, ShutDown())
    stage.run()
    assert stage.inbox.waits == [1.0] * 8 + [0.5]
    assert stage.runner.killed_at == [stage.began + 0.5 + GRACE]


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
