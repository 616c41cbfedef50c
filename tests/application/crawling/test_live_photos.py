"""When a crawl lets pictures and their moving halves find each other."""

import pytest

from application.crawling import ingest_changes
from application.ports.work_context import WorkCancelled
from tests.application.crawling.world import World
from tests.fakes.media import heic, video


def live(*names: str) -> World:
    world = World()
    for name in names:
        world.originals.put(f"{name}.HEIC", heic(name))
        world.originals.put(f"{name}.MOV", video(name))
    return world


def test_both_halves_are_counted_as_what_they_are() -> None:
    world = live("a", "b")
    world.originals.put("c.jpg", "c")
    expected = {"Image": 1, "LivePhoto": 2, "Video": 2}
    assert world.crawl()["byMediaType"] == expected
    assert world.crawl()["byMediaType"] == expected
    assert world.library.pairs() == {
        world.id_of("a.HEIC"): world.id_of("a.MOV"),
        world.id_of("b.HEIC"): world.id_of("b.MOV"),
    }


def test_a_half_that_goes_leaves_a_picture_and_returns_to_it() -> None:
    world = live("a")
    world.crawl()
    pairs = world.library.pairs()
    aside = world.originals.files.pop(b"a.MOV")
    assert world.crawl()["byMediaType"] == {"Image": 1}
    assert world.library.pairs() == {}
    world.originals.files[b"a.MOV"] = aside
    assert world.crawl()["byMediaType"] == {"LivePhoto": 1, "Video": 1}
    assert world.library.pairs() == pairs


def test_halves_that_a_held_back_crawl_did_not_find_are_not_counted() -> None:
    world = live(*(f"{number:02}" for number in range(11)))
    world.crawl()
    world.originals.files = {b"new.jpg": world.originals.files[b"00.HEIC"]}
    for number in range(1, 11):
        world.originals.put(f"x{number}.jpg", f"another {number}")
    result = world.crawl()
    assert result["heldBack"] == 21
    assert result["byMediaType"] == {"Image": 11}


def test_a_broken_half_leaves_a_picture() -> None:
    world = live("a")
    world.originals.put("a.MOV", video("DAMAGED"))
    result = world.crawl()
    assert (result["byMediaType"], result["failed"]) == ({"Image": 1}, 1)


@pytest.mark.parametrize(("files", "pairings"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3)])
def test_pairs_are_made_while_a_long_crawl_goes_on_and_at_its_end(
    monkeypatch: pytest.MonkeyPatch, files: int, pairings: int
) -> None:
    monkeypatch.setattr(ingest_changes, "FILES_PER_PAIRING", 2)
    world = World()
    for number in range(files):
        world.originals.put(f"{number}.jpg", f"picture {number}")
    world.crawl()
    assert world.library.pairings == pairings
    world.crawl()
    assert world.library.pairings == pairings


def test_a_stopped_crawl_pairs_what_it_reached() -> None:
    world = live("a", "b")
    world.stop_when = lambda: len(world.library.assets) >= 2
    with pytest.raises(WorkCancelled) as caught:
        world.crawl()
    assert caught.value.partial is not None
    reached = caught.value.partial["byMediaType"]
    assert len(world.library.pairs()) == 1
    assert isinstance(reached, dict)
    assert reached["LivePhoto"] == 1
    # What it did not reach may be the other half of something.
    assert world.library.is_pairing_due
