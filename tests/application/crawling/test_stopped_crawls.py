"""Crawls that are cancelled, or that others have left behind."""

import time
from uuid import UUID

import pytest

from application.ports.work_context import WorkCancelled
from domain.work.attempt import AttemptTag, ClaimLost
from tests.application.crawling.world import ITEM, World
from tests.fakes.library import Flight


def test_a_cancel_request_during_the_listing_changes_nothing() -> None:
    world = World()
    world.originals.put("gone.jpg", "gone")
    world.crawl()
    world.originals.files.clear()
    for number in range(5):
        world.originals.put(f"{number}.jpg", str(number))
    asked: list[bool] = []
    world.originals.after_batch = lambda: asked.append(True)
    world.stop_when = lambda: len(asked) > 0
    with pytest.raises(WorkCancelled) as caught:
        world.crawl()
    partial = caught.value.partial
    assert partial is not None
    assert (partial["found"], partial["notReached"], partial["ingested"]) == (4, 4, 0)
    assert partial["seconds"] == 1.5
    assert world.library.holders().keys() == {b"gone.jpg"}


def test_a_cancel_request_between_files_ends_the_crawl_with_what_is_done() -> None:
    world = World()
    world.originals.put("gone.jpg", "gone")
    world.crawl()
    del world.originals.files[b"gone.jpg"]
    for number in range(9):
        world.originals.put(f"{number}.jpg", str(number))
    world.stop_when = lambda: len(world.library.assets) >= 4
    with pytest.raises(WorkCancelled) as caught:
        world.crawl()
    partial = caught.value.partial
    assert partial is not None
    assert partial["found"] == 9
    assert partial["ingested"] == len(world.library.assets) - 1
    assert 3 <= int(str(partial["ingested"])) < 9
    assert partial["missing"] == 0
    assert len(world.library.living()) == len(world.library.assets)
    world.stop_when = lambda: False
    result = world.crawl()
    assert (result["ingested"], result["missing"]) == (9 - int(str(partial["ingested"])), 1)


def test_a_cancel_request_while_hashes_are_noted_ends_the_crawl() -> None:
    world = World()
    for number in range(4):
        world.originals.put(f"{number}.jpg", str(number), mtime_ns=1)
    world.crawl()
    world.hasher.hashed = 0
    for number in range(4):
        world.originals.put(f"{number}.jpg", str(number), mtime_ns=2)
    world.stop_when = lambda: world.hasher.hashed >= 1
    with pytest.raises(WorkCancelled) as caught:
        world.crawl()
    assert caught.value.partial is not None
    assert caught.value.partial["notReached"] == 4


def test_a_cancel_request_during_reconciliation_ends_between_batches() -> None:
    world = World()
    for name in "abc":
        world.originals.put(f"{name}.jpg", name)
    world.crawl()
    for name in "ab":
        del world.originals.files[f"{name}.jpg".encode()]
    world.stop_when = lambda: len(world.library.living()) < 3
    with pytest.raises(WorkCancelled) as caught:
        world.crawl()
    assert caught.value.partial is not None
    assert caught.value.partial["missing"] == 2
    assert caught.value.partial["notReached"] == 0


def test_a_lost_claim_ends_the_crawl() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.library.is_claim_lost = True
    with pytest.raises(ClaimLost):
        world.crawl()
    assert world.library.assets == {}


def test_what_a_dead_run_left_is_removed_and_what_it_was_changing_is_tidied() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.crawl()
    asset, orphan = world.id_of("a.jpg"), UUID(int=5)
    dead = AttemptTag(item_id=ITEM, attempt=0)
    world.library.flights = {b"a.jpg": Flight(asset, dead), b"new.jpg": Flight(orphan, dead)}
    world.proxies.kept[orphan] = [b"half of it"]
    world.crawl()
    assert world.proxies.tidied == [asset]
    assert world.proxies.discarded == [orphan]
    assert world.proxies.kept.keys() == {asset}


def test_suspects_come_last_and_alone() -> None:
    world = World(concurrency=3)
    for name in "abcdef":
        world.originals.put(f"{name}.jpg", name)
    dead = AttemptTag(item_id=ITEM, attempt=0)
    for path in (b"a.jpg", b"b.jpg"):
        world.library.flights[path] = Flight(UUID(int=5), dead)
    in_flight: list[int] = []

    def look(content: bytes) -> None:
        time.sleep(0.05)
        if content in (b"\xff\xd8\xffa", b"\xff\xd8\xffb"):
            in_flight.append(sum(flight.is_up for flight in world.library.flights.values()))
            assert len(world.library.assets) >= 4

    world.developer.before = look
    assert world.crawl()["ingested"] == 6
    assert in_flight == [1, 1]


def test_a_file_that_killed_two_runs_is_failed_unopened_by_the_decoder() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    dead = AttemptTag(item_id=ITEM, attempt=0)
    world.library.flights[b"a.jpg"] = Flight(UUID(int=5), dead, deaths=1)
    result = world.crawl()
    assert result["failedByReason"] == {"crashes the decoder": 1}
    assert world.developer.developed == []
    assert world.library.failures == [
        (1, b"a.jpg", "crashes the decoder", "decoding it ended the Worker")
    ]
