"""Proxies are prepared, recorded, and published inside the record; or nothing of them stays."""

from collections.abc import Callable
from typing import Any

import pytest

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
