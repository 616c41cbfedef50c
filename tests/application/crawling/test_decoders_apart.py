"""Files that kill their decoder, in any number: the third attempt finishes the rest."""

from collections import Counter
from collections.abc import Callable
from uuid import UUID

import pytest

from application.ports.decoders import DecoderDied, DecodersUnfit
from domain.work.attempt import AttemptTag
from tests.application.crawling.world import ITEM, World
from tests.fakes.library import Flight
from tests.fakes.media import InMemoryMediaDeveloper, InMemoryMetadataReader

JPEG = b"\xff\xd8\xff"


class Killed(BaseException):
    """The runner died."""


def world_with(*names: str, suspects: str = "", earlier_attempts: int = 0) -> World:
    """Decoders that can be told from those apart; so many attempts of the item came before."""
    world = World(attempts=earlier_attempts)
    world.apart.metadata, world.apart.developer = InMemoryMetadataReader(), InMemoryMediaDeveloper()
    for name in names:
        world.originals.put(f"{name}.jpg", name)
    dead = AttemptTag(item_id=ITEM, attempt=0)
    for name in suspects:
        world.library.flights[f"{name}.jpg".encode()] = Flight(UUID(int=5), dead)
    return world


def raising(error: BaseException, *contents: str, times: int = 99) -> Callable[[bytes], None]:
    """For each of these contents, the first few times."""
    met = Counter[bytes]()

    def meet(content: bytes) -> None:
        met[content] += 1
        if content.removeprefix(JPEG).decode() in contents and met[content] <= times:
            raise error

    return meet


def decoded(world: World) -> tuple[int, int]:
    """Files that went through the decoders here, and through those apart."""
    here, apart = world.metadata.formats, world.apart.metadata.formats
    assert len(here) == len(world.developer.developed)
    assert len(apart) == len(world.apart.developer.developed)
    return len(here), len(apart)


def test_only_suspects_are_decoded_apart_at_first() -> None:
    world = world_with("a", "b", "c", suspects="b")
    assert world.crawl()["ingested"] == 3
    assert decoded(world) == (2, 1)


@pytest.mark.parametrize(("attempt", "counts"), [(2, (2, 0)), (3, (0, 2)), (4, (0, 2))])
def test_from_the_third_attempt_on_every_file_is_decoded_apart(
    attempt: int, counts: tuple[int, int]
) -> None:
    world = world_with("a", "b", earlier_attempts=attempt - 1)
    assert world.crawl()["ingested"] == 2
    assert decoded(world) == counts


@pytest.mark.parametrize("which", ["metadata", "developer"])
def test_a_suspect_that_kills_again_is_failed_at_once_and_the_rest_goes_on(which: str) -> None:
    world = world_with("a", "b", "c", suspects="ab")
    getattr(world.apart, which).before = raising(DecoderDied("decoding it ended it"), "a", times=1)
    result = world.crawl()
    assert (result["ingested"], result["failedByReason"]) == (2, {"crashes the decoder": 1})
    assert world.library.failures == [
        (1, b"a.jpg", "crashes the decoder", "decoding it ended it"),
    ]
    assert world.library.flights == {}
    assert world.crawl()["failedByReason"] == {"crashes the decoder": 1}
    assert world.library.files[b"a.jpg"].reason == "crashes the decoder"


@pytest.mark.parametrize("which", ["metadata", "developer"])
@pytest.mark.parametrize(("times", "failed"), [(1, {}), (2, {"crashes the decoder": 1})])
def test_a_fresh_file_is_failed_for_its_second_death_only(
    which: str, times: int, failed: dict[str, int]
) -> None:
    world = world_with("a", "b", earlier_attempts=2)
    died = raising(DecoderDied("it died"), "a", times=times)
    getattr(world.apart, which).before = died
    result = world.crawl()
    assert result["failedByReason"] == failed
    assert result["ingested"] == 2 - len(failed)


@pytest.mark.parametrize("which", ["metadata", "developer"])
def test_the_third_attempt_finishes_whatever_is_there(which: str) -> None:
    killers, sound = "bdfg", "aceh"
    world = world_with(*killers, *sound)
    getattr(world, which).before = raising(Killed(), *killers)
    getattr(world.apart, which).before = raising(DecoderDied("it died"), *killers)
    for _ in range(2):
        with pytest.raises(Killed):
            world.crawl()
    result = world.crawl()
    assert result["failedByReason"] == {"crashes the decoder": 4}
    assert len(world.library.living()) == 4
    assert world.library.flights == {}


def test_decoders_that_cannot_be_started_are_no_file_s_fault() -> None:
    world = world_with("a", suspects="a")
    world.apart.metadata.before = raising(DecodersUnfit("they cannot be started"), "a")
    with pytest.raises(DecodersUnfit):
        world.crawl()
    flight = world.library.flights[b"a.jpg"]
    assert (flight.is_up, flight.deaths) == (False, 1)
    assert not world.apart.is_open


def test_decoders_apart_are_there_while_files_are_ingested_and_no_longer() -> None:
    world = world_with("a", suspects="a")
    seen: list[bool] = []
    world.apart.developer.before = lambda _: seen.append(world.apart.is_open)
    world.crawl()
    assert seen == [True]
    assert not world.apart.is_open
