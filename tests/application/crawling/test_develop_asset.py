"""Proxies are prepared, recorded, and published inside the record; or nothing of them stays."""

from collections.abc import Callable
from typing import Any

import pytest

from application.ports.originals import OriginalGone, OriginalUnreadable
from application.ports.proxy_store import ProxiesUnwritable
from domain.work.attempt import ClaimLost
from tests.application.crawling.world import World


class Cut(Exception):
    """The database's session is gone."""


class Killed(BaseException):
    """Not an Exception: what ends a thread from outside."""


def world_with(name: str, content: str, *, is_new: bool) -> World:
    """The file is new, or known with other content."""
    world = World()
    if not is_new:
        world.originals.put(name, "before")
        world.crawl()
    world.originals.put(name, content)
    return world


def failing(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


def seen(world: World) -> Any:
    """What anybody else can see of the library and its proxies."""
    library = world.library
    assets = {key: row.developed.content for key, row in library.assets.items()}
    return assets, library.holders(), dict(world.proxies.kept)


def test_what_is_prepared_is_published_inside_the_record() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    steps: list[tuple[str, int, int]] = []

    def note(step: str) -> Callable[[], None]:
        return lambda: steps.append((step, len(world.proxies.prepared), len(world.library.assets)))

    world.proxies.after_prepare = note("prepared")
    world.proxies.before_publish = note("published")
    assert world.crawl()["proxiesWritten"] == 2
    assert steps == [("prepared", 1, 0), ("published", 1, 0)]
    jpeg = b"\xff\xd8\xffa"
    assert world.proxies.kept == {world.id_of("a.jpg"): [b"small " + jpeg, b"large " + jpeg]}
    assert (world.proxies.prepared, world.proxies.abandoned) == ([], [])


@pytest.mark.parametrize("is_new", [True, False])
def test_a_claim_lost_before_the_record_leaves_what_a_newer_run_wrote(*, is_new: bool) -> None:
    world = world_with("a.jpg", "a", is_new=is_new)
    before = seen(world)

    def lose() -> None:
        world.library.is_claim_lost = True

    world.proxies.after_prepare = lose
    with pytest.raises(ClaimLost):
        world.crawl()
    assert seen(world) == before
    assert world.proxies.prepared == []
    assert len(world.proxies.abandoned) == 1
    assert world.proxies.discarded == []


@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize("error", [Cut(), Killed()])
def test_any_error_of_the_record_abandons_what_was_prepared(
    error: BaseException, *, is_new: bool
) -> None:
    world = world_with("a.jpg", "a", is_new=is_new)
    before = seen(world)
    world.proxies.before_publish = failing(error)
    with pytest.raises(type(error)):
        world.crawl()
    assert seen(world) == before
    assert world.proxies.prepared == []
    assert len(world.proxies.abandoned) == 1


def test_proxies_that_cannot_be_prepared_are_recorded_nowhere() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.proxies.after_prepare = failing(Cut())
    with pytest.raises(Cut):
        world.crawl()
    assert seen(world) == ({}, {}, {})
    world.proxies.after_prepare = lambda: None
    assert world.crawl()["ingested"] == 1


def test_a_full_disk_fails_the_crawl_and_makes_no_file_a_suspect() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.proxies.after_prepare = failing(ProxiesUnwritable("No space left on device"))
    for _ in range(4):
        with pytest.raises(
            ProxiesUnwritable, match=r"^the proxies cannot be written: No space left on device$"
        ):
            world.crawl()
    assert world.library.flights[b"a.jpg"].deaths == 0
    world.proxies.after_prepare = lambda: None
    assert world.crawl()["ingested"] == 1
    assert len(world.proxies.discarded) == 4


def test_a_death_is_still_counted() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.developer.before = lambda _: failing(Killed())()
    for _ in range(2):
        with pytest.raises(Killed):
            world.crawl()
    assert world.crawl()["failedByReason"] == {"crashes the decoder": 1}


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OriginalUnreadable("Input/output error"), ("failedByReason", {"unreadable": 1})),
        (OriginalGone("it is not there any more"), ("skippedByReason", {"changing": 1})),
    ],
)
def test_an_original_that_breaks_while_it_is_decoded_is_tried_each_time_and_no_suspect(
    error: Exception, told: tuple[str, dict[str, int]]
) -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.developer.before = lambda _: failing(error)()
    for _ in range(4):
        assert world.crawl()[told[0]] == told[1]
    assert world.library.files == {}
    world.developer.before = lambda _: None
    assert world.crawl()["ingested"] == 1
