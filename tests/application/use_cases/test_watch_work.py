"""The change feed: nothing is missed, nothing is told twice, and memory is bounded."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from application.ports.work_item_changes import Change
from application.use_cases.watch_work import ChangeFeed, FeedEvent, Look
from domain.work.progress import progress_of
from tests.contracts.harness import LEASE, InMemoryPorts
from tests.fakes.execution import HandMovedStopwatch

LOOKBACK = timedelta(seconds=10)
SECOND = timedelta(seconds=1)
MICROSECOND = timedelta(microseconds=1)


class Stage:
    def __init__(self, ring_size: int = 4_000, resume_most: int = 1_000) -> None:
        self.ports = InMemoryPorts()
        self.stopwatch = HandMovedStopwatch()
        self.feed = ChangeFeed(
            changes=self.ports.changes,
            stopwatch=self.stopwatch,
            lookback=LOOKBACK,
            ring_size=ring_size,
            resume_most=resume_most,
        )

    def pass_time(self, span: timedelta) -> None:
        self.ports.advance(span)
        self.stopwatch.seconds += span.total_seconds()

    def look(self) -> Look:
        return self.feed.take(self.feed.query())

    def enqueue(self) -> UUID:
        self.pass_time(SECOND)
        return self.ports.enqueue()

    def changed_at(self, item_id: UUID) -> datetime:
        return self.ports.item(item_id).updated_at

    def commit_behind(self, item_id: UUID, span: timedelta) -> None:
        """Let a change come to light only now, with a time that long ago."""
        item = self.ports.table.items[item_id]
        self.ports.table.items[item_id] = replace(item, updated_at=self.ports.now() - span)


def ids(events: object) -> list[UUID]:
    return [event.change.item_id for event in events]  # type: ignore[attr-defined]


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_the_first_look_tells_nothing_and_stands_at_the_newest(stage: Stage) -> None:
    item_id = stage.enqueue()
    look = stage.look()
    assert look == Look(events=[], must_reset=False, leases={}, server_time=stage.ports.now())
    assert stage.feed.cursor == stage.changed_at(item_id)


def test_an_empty_table_stands_at_the_databases_time(stage: Stage) -> None:
    stage.look()
    assert stage.feed.cursor == stage.ports.now()
    item_id = stage.enqueue()
    assert ids(stage.look().events) == [item_id]


def test_each_change_is_told_once_with_the_cursor_after_it(stage: Stage) -> None:
    stage.look()
    first, second = stage.enqueue(), stage.enqueue()
    events = stage.look().events
    assert ids(events) == [first, second]
    assert [event.cursor for event in events] == [
        stage.changed_at(first),
        stage.changed_at(second),
    ]
    assert events[0].change.item is not None
    assert events[0].change.item.item.id == first
    assert stage.look().events == []
    stage.pass_time(SECOND)
    stage.ports.claim()
    assert ids(stage.look().events) == [first]


def test_a_change_that_commits_behind_the_cursor_is_told_within_the_lookback(
    stage: Stage,
) -> None:
    late = stage.enqueue()
    stage.look()
    stage.enqueue()
    stage.look()
    stage.commit_behind(late, LOOKBACK - SECOND)
    cursor = stage.feed.cursor
    [event] = stage.look().events
    assert event.change.item_id == late
    assert event.cursor == cursor == stage.feed.cursor


def test_what_is_older_than_the_lookback_is_not_looked_at(stage: Stage) -> None:
    late = stage.enqueue()
    stage.look()
    stage.enqueue()
    stage.look()
    stage.commit_behind(late, LOOKBACK)
    assert stage.look().events == []


def test_a_clock_that_is_stepped_back_hides_a_change_for_one_look_at_most(stage: Stage) -> None:
    stage.enqueue()
    stage.look()
    stage.pass_time(-timedelta(hours=1))
    item_id = stage.ports.enqueue()
    told = [*stage.look().events, *stage.look().events]
    assert ids(told) == [item_id]


def test_a_removed_item_is_told(stage: Stage) -> None:
    config = stage.ports.add_config()
    item_id = stage.ports.enqueue("Crawl", scope=config)
    stage.look()
    stage.pass_time(SECOND)
    stage.ports.delete_config(config)
    [event] = stage.look().events
    assert event.change == Change(item_id=item_id, changed_at=stage.ports.now(), item=None)


def test_each_look_brings_the_leases_and_the_time(stage: Stage) -> None:
    item_id = stage.enqueue()
    stage.ports.claim()
    stage.look()
    look = stage.look()
    assert look.leases == {item_id: stage.ports.now() + LEASE}
    assert look.server_time == stage.ports.now()


def test_resuming_tells_what_came_after_the_cursor_and_within_the_lookback_before(
    stage: Stage,
) -> None:
    stage.enqueue()
    stage.pass_time(LOOKBACK)
    near, at, after = stage.enqueue(), stage.enqueue(), stage.enqueue()
    stage.look()
    cursor = stage.changed_at(at)
    events = stage.feed.resume(cursor)
    assert events is not None
    assert ids(events) == [near, at, after]
    assert [event.cursor for event in events] == [cursor, cursor, stage.changed_at(after)]


def test_resuming_leaves_out_what_lies_a_whole_lookback_before(stage: Stage) -> None:
    item_id = stage.enqueue()
    stage.look()
    cursor = stage.changed_at(item_id) + LOOKBACK
    stage.pass_time(LOOKBACK)
    assert stage.feed.resume(cursor) == []
    [event] = stage.feed.resume(cursor - MICROSECOND) or []
    assert event == FeedEvent(cursor - MICROSECOND, event.change)


def test_a_client_that_lists_and_then_subscribes_misses_nothing(stage: Stage) -> None:
    stage.look()
    item_id = stage.enqueue()
    cursor = stage.changed_at(item_id)  # the list's, newer than the last look
    assert stage.feed.resume(cursor) == []
    assert ids(stage.look().events) == [item_id]


def test_changes_told_live_are_in_the_ring_as_they_are_now(stage: Stage) -> None:
    item_id = stage.enqueue()
    stage.look()
    tag = stage.ports.claimed()
    stage.pass_time(SECOND)
    stage.ports.execution.heartbeat(tag, progress_of(5, 9, None), LEASE)
    stage.look()
    [event] = stage.feed.resume(stage.ports.now()) or []
    assert event.change.item is not None
    assert event.change.item.item.progress.done == 5
    assert event.change.item_id == item_id


@pytest.mark.parametrize(
    ("ahead", "resets"),
    [
        (timedelta(milliseconds=500), False),
        (timedelta(milliseconds=501), True),
        (timedelta(hours=1), True),
    ],
)
def test_a_cursor_from_the_future_has_to_list_again(
    stage: Stage, ahead: timedelta, resets: bool
) -> None:
    stage.enqueue()
    stage.look()
    stage.pass_time(SECOND)  # time goes on between two looks
    assert (stage.feed.resume(stage.ports.now() + ahead) is None) is resets


def test_a_clock_that_was_stepped_back_makes_nobody_list_again(stage: Stage) -> None:
    item_id = stage.enqueue()
    ahead = stage.ports.now() + timedelta(hours=1)
    item = stage.ports.table.items[item_id]
    stage.ports.table.items[item_id] = replace(item, updated_at=ahead)
    stage.look()
    assert ids(stage.feed.resume(ahead) or []) == [item_id]


def test_more_changes_than_can_be_resumed_have_to_be_listed() -> None:
    stage = Stage(resume_most=3)
    before = stage.ports.now()
    for _ in range(3):
        stage.enqueue()
    stage.look()
    assert len(stage.feed.resume(before) or []) == 3
    stage.enqueue()
    stage.look()
    assert stage.feed.resume(before) is None


def test_a_change_at_the_cursor_itself_does_not_count_as_following() -> None:
    stage = Stage(resume_most=1)
    first, second = stage.enqueue(), stage.enqueue()
    stage.look()
    assert ids(stage.feed.resume(stage.changed_at(first)) or []) == [first, second]


def test_before_the_first_look_nobody_can_resume(stage: Stage) -> None:
    assert stage.feed.resume(stage.ports.now()) is None


def test_what_was_forgotten_has_to_be_listed() -> None:
    stage = Stage(ring_size=2)
    stage.look()
    found = []
    for _ in range(3):
        stage.pass_time(LOOKBACK)
        found.append(stage.enqueue())
        stage.look()
    forgotten = stage.changed_at(found[0])
    assert stage.feed.resume(forgotten + LOOKBACK - MICROSECOND) is None
    assert ids(stage.feed.resume(forgotten + LOOKBACK) or []) == found[1:]


def test_a_first_look_at_more_than_fits_knows_where_its_memory_begins() -> None:
    stage = Stage(ring_size=2)
    found = []
    for _ in range(3):
        stage.pass_time(LOOKBACK)
        found.append(stage.enqueue())
    assert not stage.look().must_reset
    oldest_kept = stage.changed_at(found[1])
    assert stage.feed.resume(oldest_kept + LOOKBACK - MICROSECOND) is None
    assert ids(stage.feed.resume(oldest_kept + LOOKBACK) or []) == found[2:]


def test_more_changes_at_once_than_fit_make_everybody_list_again() -> None:
    stage = Stage(ring_size=2)
    stage.look()
    for _ in range(3):
        stage.enqueue()
    look = stage.look()
    assert look.must_reset
    assert look.events == []
    assert stage.feed.cursor == stage.ports.now()
    assert stage.feed.resume(stage.ports.now()) is None
    stage.pass_time(2 * LOOKBACK)
    assert stage.look().must_reset  # the window still holds more than fits
    later = stage.enqueue()
    assert ids(stage.look().events) == [later]


def test_the_cursor_never_goes_back_when_all_has_to_be_listed_again() -> None:
    stage = Stage(ring_size=1)
    stage.look()
    first, second = stage.enqueue(), stage.enqueue()
    stage.look()
    cursor = stage.feed.cursor
    stage.commit_behind(first, SECOND)
    stage.commit_behind(second, SECOND)
    assert stage.look().must_reset
    assert stage.feed.cursor == cursor


def test_the_ring_forgets_what_was_told_longest_ago_and_not_what_changed_again() -> None:
    stage = Stage(ring_size=2)
    stage.look()
    first = stage.enqueue()
    stage.look()
    stage.pass_time(LOOKBACK + SECOND)
    second = stage.enqueue()
    stage.look()
    stage.pass_time(LOOKBACK + SECOND)
    stage.ports.claim()
    stage.look()
    stage.pass_time(LOOKBACK + SECOND)
    third = stage.enqueue()
    stage.look()
    oldest = stage.changed_at(second)
    assert stage.feed.resume(oldest + LOOKBACK - MICROSECOND) is None
    assert ids(stage.feed.resume(oldest + LOOKBACK) or []) == [first, third]
