"""Pictures that are decoded whole share the memory."""

from threading import Event, Thread

import pytest

from adapters.ingestion.pixel_budget import PixelBudget
from application.ports.media_developer import TooManyPixels


def budget() -> PixelBudget:
    return PixelBudget(max_megapixels=4, max_whole_megapixels=2, shared_megapixels=1)


def test_each_way_of_decoding_has_its_limit() -> None:
    budget().refuse(2_000, 2_000)
    with pytest.raises(TooManyPixels, match=r"^more than 4 megapixels$"):
        budget().refuse(2_001, 2_000)
    budget().refuse(2_000, 1_000, is_whole=True)
    with pytest.raises(TooManyPixels, match=r"^more than 2 megapixels$"):
        budget().refuse(2_001, 1_000, is_whole=True)
    with pytest.raises(TooManyPixels), budget().whole(2_001, 1_000):
        pass


def entered(shared: PixelBudget, width: int, release: Event) -> Event:
    inside = Event()

    def enter() -> None:
        with shared.whole(width, 1_000):
            inside.set()
            assert release.wait(10)

    Thread(target=enter, daemon=True).start()
    return inside


def test_what_does_not_fit_beside_the_others_waits() -> None:
    shared, release = budget(), Event()
    assert entered(shared, 500, release).wait(5)
    assert entered(shared, 500, release).wait(5)
    third = entered(shared, 1, release)
    assert not third.wait(0.2)
    release.set()
    assert third.wait(5)


def test_a_picture_larger_than_the_shared_room_is_decoded_alone() -> None:
    shared, release = budget(), Event()
    assert entered(shared, 2_000, release).wait(5)
    small = entered(shared, 1, release)
    assert not small.wait(0.2)
    release.set()
    assert small.wait(5)


def test_an_error_gives_the_room_back() -> None:
    shared = budget()
    with pytest.raises(KeyError), shared.whole(2_000, 1_000):
        raise KeyError
    with shared.whole(2_000, 1_000):
        pass
