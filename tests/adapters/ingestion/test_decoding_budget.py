"""Pictures that are decoded whole share the memory."""

from threading import Event, Thread

import pytest

from adapters.ingestion.decoding_budget import DecodingBudget, DecodingLimits
from application.ports.media_developer import TooManyPixels


def budget() -> DecodingBudget:
    return DecodingBudget(
        DecodingLimits(
            megapixels=4,
            whole_megabytes=2,
            whole_megabytes_at_once=1,
            encoded_megabytes_at_once=3,
        )
    )


def test_each_way_of_decoding_has_its_limit() -> None:
    budget().refuse(2_000, 2_000)
    with pytest.raises(TooManyPixels, match=r"^more than 4 megapixels$"):
        budget().refuse(2_001, 2_000)
    with budget().whole(2_000_000):
        pass
    budget().refuse_whole(2_000_000)
    too_much = r"^decoding it takes more than 2 MB$"
    with pytest.raises(TooManyPixels, match=too_much):
        budget().refuse_whole(2_000_001)
    with pytest.raises(TooManyPixels, match=too_much), budget().whole(2_000_001):
        pass


def test_no_side_is_so_long_that_a_strip_fills_the_memory() -> None:
    budget().refuse(100_000, 40)
    budget().refuse(40, 100_000)
    for width, height in ((100_001, 1), (1, 100_001)):
        with pytest.raises(TooManyPixels, match=r"^a side of more than 100,000 pixels$"):
            budget().refuse(width, height)


def entered(shared: DecodingBudget, size: int, release: Event) -> Event:
    inside = Event()

    def enter() -> None:
        with shared.whole(size):
            inside.set()
            assert release.wait(10)

    Thread(target=enter, daemon=True).start()
    return inside


def test_what_does_not_fit_beside_the_others_waits() -> None:
    shared, release = budget(), Event()
    assert entered(shared, 500_000, release).wait(5)
    assert entered(shared, 500_000, release).wait(5)
    third = entered(shared, 1, release)
    assert not third.wait(0.2)
    release.set()
    assert third.wait(5)


def test_a_picture_larger_than_the_shared_room_is_decoded_alone() -> None:
    shared, release = budget(), Event()
    assert entered(shared, 2_000_000, release).wait(5)
    small = entered(shared, 1, release)
    assert not small.wait(0.2)
    release.set()
    assert small.wait(5)


def test_an_error_gives_the_room_back() -> None:
    shared = budget()
    with pytest.raises(KeyError), shared.whole(2_000_000):
        raise KeyError
    with shared.whole(2_000_000):
        pass


def test_encoded_bytes_have_room_of_their_own() -> None:
    shared = budget()
    with shared.encoded(2_000_000), shared.encoded(1_000_000), shared.whole(1_000_000):
        waiting, release = Event(), Event()

        def enter() -> None:
            with shared.encoded(1):
                waiting.set()
                release.wait(10)

        Thread(target=enter, daemon=True).start()
        assert not waiting.wait(0.2)
    assert waiting.wait(5)
    release.set()
