"""An admin lets a held-back crawl through: once, for the brake and for an emptied root alike."""

from datetime import UTC, datetime, timedelta

import pytest

from application.crawling import reconcile
from application.ports.work_context import WorkCancelled
from domain.library.root import RootEmpty, RootUnavailable
from domain.work.attempt import ClaimLost
from tests.application.crawling.world import World

ALLOWED_AT = datetime(2024, 5, 31, tzinfo=UTC)


def crawled(count: int) -> World:
    world = World()
    for number in range(count):
        world.originals.put(f"{number:02}.jpg", str(number))
    world.crawl()
    return world


def remove(world: World, count: int) -> None:
    for path in sorted(world.originals.files)[:count]:
        del world.originals.files[path]


def test_an_emptied_root_is_let_through_once() -> None:
    world = crawled(30)
    world.originals.files.clear()
    world.library.missing_allowed_at = ALLOWED_AT
    result = world.crawl()
    assert (result["found"], result["missing"], result["heldBack"]) == (0, 30, 0)
    assert world.library.living() == set()
    assert world.library.missing_allowed_at is None


def test_the_brake_is_let_through_once() -> None:
    world = crawled(80)
    remove(world, 41)
    world.library.missing_allowed_at = ALLOWED_AT
    result = world.crawl()
    assert (result["missing"], result["heldBack"]) == (41, 0)
    assert world.library.missing_allowed_at is None
    remove(world, 30)
    result = world.crawl()
    assert (result["missing"], result["heldBack"]) == (0, 30)


def test_a_complete_crawl_uses_it_up_though_nothing_was_missing() -> None:
    world = crawled(2)
    world.library.missing_allowed_at = ALLOWED_AT
    assert world.crawl()["missing"] == 0
    assert world.library.missing_allowed_at is None
    world.originals.files.clear()
    with pytest.raises(RootEmpty):
        world.crawl()
    assert len(world.library.living()) == 2


def test_one_that_comes_while_a_crawl_runs_is_neither_used_nor_used_up_by_it() -> None:
    world = crawled(30)
    remove(world, 25)

    def allow() -> None:
        world.library.missing_allowed_at = ALLOWED_AT

    world.originals.after_batch = allow
    result = world.crawl()
    assert (result["missing"], result["heldBack"]) == (0, 25)
    assert world.library.missing_allowed_at == ALLOWED_AT
    assert world.crawl()["missing"] == 25


def test_one_that_is_renewed_while_a_crawl_uses_the_first_stays() -> None:
    world = crawled(30)
    remove(world, 25)
    renewed = ALLOWED_AT + timedelta(seconds=1)

    def renew() -> None:
        world.library.missing_allowed_at = renewed

    world.library.missing_allowed_at = ALLOWED_AT
    world.originals.after_batch = renew
    assert world.crawl()["missing"] == 25
    assert world.library.missing_allowed_at == renewed


def test_a_crawl_that_fails_keeps_it() -> None:
    world = crawled(30)
    world.library.missing_allowed_at = ALLOWED_AT
    world.originals.unavailable = "it is away"
    with pytest.raises(RootUnavailable):
        world.crawl()
    world.originals.unavailable = None
    world.library.is_claim_lost = True
    with pytest.raises(ClaimLost):
        world.crawl()
    assert world.library.missing_allowed_at == ALLOWED_AT


@pytest.mark.parametrize("left", [28, 26])
def test_a_crawl_that_is_stopped_before_the_last_batch_keeps_it(
    monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    monkeypatch.setattr(reconcile, "ROWS_PER_BATCH", 2)
    world = crawled(30)
    remove(world, 26)
    world.library.missing_allowed_at = ALLOWED_AT
    world.stop_when = lambda: len(world.library.living()) <= left
    with pytest.raises(WorkCancelled):
        world.crawl()
    assert len(world.library.living()) == left
    assert world.library.missing_allowed_at == ALLOWED_AT
    world.stop_when = lambda: False
    assert world.crawl()["missing"] == left - 4
    assert world.library.missing_allowed_at is None


def test_the_batch_that_leaves_none_uses_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconcile, "ROWS_PER_BATCH", 2)
    world = crawled(30)
    remove(world, 26)
    world.library.missing_allowed_at = ALLOWED_AT
    world.stop_when = lambda: len(world.library.living()) == 4
    with pytest.raises(WorkCancelled):
        world.crawl()
    assert world.library.missing_allowed_at is None
