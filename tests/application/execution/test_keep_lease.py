"""One beat at a time: what it writes, what it tells, and what it remembers."""

from datetime import timedelta

import pytest
from typing_extensions import override

from application.execution.inbox import CancelSeen, FencedOff
from application.ports.work_item_execution import BeatAnswer
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.progress import Progress, progress_of
from tests.contracts.harness import LEASE
from tests.fakes.execution import HandMovedStopwatch, ScriptedRunner
from tests.fakes.executor import RunningItem, keep_lease
from tests.fakes.work_table import InMemoryWorkItemExecution
from tests.log_records import caught_by


class Flaky(InMemoryWorkItemExecution):
    """Answers only while the database is there, and takes its time."""

    away = False
    takes = 0.0
    stopwatch: HandMovedStopwatch

    @override
    def heartbeat(self, tag: AttemptTag, progress: Progress, lease: timedelta) -> BeatAnswer:
        self.stopwatch.seconds += self.takes
        if self.away:
            raise DatabaseUnavailable("away")
        return super().heartbeat(tag, progress, lease)


class Stage(RunningItem[Flaky]):
    def __init__(self) -> None:
        super().__init__(Flaky)
        self.store.stopwatch = self.stopwatch
        self.runner = ScriptedRunner(self.stopwatch, newest=progress_of(1, 2, "n"))
        self.keep = keep_lease(self.store, self.inbox, self.runner)
        self.keep.begin(self.tag, self.stopwatch.elapsed())

    def signals(self) -> list[object]:
        found: list[object] = []
        while signal := self.inbox.next(0):
            found.append(signal)
        return found


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_a_beat_extends_the_lease_and_carries_the_newest_progress(stage: Stage) -> None:
    stage.ports.advance(timedelta(seconds=10))
    stage.keep.beat()
    item = stage.item()
    assert item.lease_until == stage.ports.now() + LEASE
    assert item.progress == progress_of(1, 2, "n")
    assert stage.signals() == []


def test_without_an_attempt_nothing_is_sent_and_nothing_lapses(stage: Stage) -> None:
    stage.keep.end()
    before = stage.item()
    stage.keep.beat()
    stage.stopwatch.seconds += 1_000
    assert stage.item() == before
    assert not stage.keep.has_lapsed()


def test_a_cancel_request_is_told_once(stage: Stage) -> None:
    stage.keep.beat()
    stage.ports.canceller.cancel(stage.item_id)
    stage.keep.beat()
    stage.keep.beat()
    assert stage.signals() == [CancelSeen(stage.tag)]


def test_beats_go_on_after_a_cancel_request(stage: Stage) -> None:
    stage.ports.canceller.cancel(stage.item_id)
    stage.keep.beat()
    stage.ports.advance(timedelta(seconds=30))
    stage.keep.beat()
    assert stage.item().lease_until == stage.ports.now() + LEASE


def test_a_refused_beat_is_told_once_and_was_the_last(stage: Stage) -> None:
    stage.ports.expire()
    stage.ports.execution.recover(stage.item_id, stall_limit=3)
    stage.keep.beat()
    stage.keep.beat()
    assert stage.signals() == [FencedOff(stage.tag)]


@pytest.mark.parametrize(("seconds", "lapsed"), [(59.9, False), (60, True), (61, True)])
def test_the_lease_lapses_a_lease_after_the_last_good_beat_was_sent(
    stage: Stage, seconds: float, lapsed: bool
) -> None:
    stage.stopwatch.seconds += 5
    stage.store.takes = 3
    stage.keep.beat()
    stage.stopwatch.seconds += seconds - 3
    assert stage.keep.has_lapsed() is lapsed


def test_beats_that_fail_are_logged_and_do_not_count_as_good(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.store.away = True
    stage.stopwatch.seconds += 58
    stage.keep.beat()
    stage.stopwatch.seconds += 1
    stage.keep.beat()  # said once
    assert [record.getMessage() for record in caplog.records] == ["no heartbeat for 58 s: away"]
    assert isinstance(caught_by(caplog.records[0]), DatabaseUnavailable)
    assert not stage.keep.has_lapsed()
    stage.stopwatch.seconds += 1
    assert stage.keep.has_lapsed()


def test_each_silence_is_said(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    for away in (True, True, False, False, True):
        stage.store.away = away
        stage.stopwatch.seconds += 2
        stage.keep.beat()
    assert [record.getMessage() for record in caplog.records] == [
        "no heartbeat for 2 s: away",
        "beating again after 6 s",
        "no heartbeat for 2 s: away",
    ]


def test_a_good_beat_after_failed_ones_keeps_the_lease(stage: Stage) -> None:
    stage.store.away = True
    stage.stopwatch.seconds += 50
    stage.keep.beat()
    stage.store.away = False
    stage.keep.beat()
    stage.stopwatch.seconds += 59
    assert not stage.keep.has_lapsed()


def test_a_refusal_is_logged_with_its_reason_and_item(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    del stage.ports.table.items[stage.item_id]
    stage.keep.beat()
    [record] = caplog.records
    assert record.getMessage() == "heartbeat refused: UNKNOWN"
    assert record.__dict__["item_id"] == stage.item_id
