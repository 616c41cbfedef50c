"""Room that threads share."""

from threading import Event, Thread

import pytest

from adapters.ingestion.room import Room


def taken(room: Room, amount: int, release: Event) -> Event:
    """Set as soon as a thread of its own has so much."""
    inside = Event()

    def take() -> None:
        with room.take(amount):
            inside.set()
            assert release.wait(10)

    Thread(target=take, daemon=True).start()
    return inside


def test_what_fits_beside_the_others_does_not_wait() -> None:
    room, release = Room(10), Event()
    release.set()
    for _ in range(2):
        with room.take(4):
            assert taken(room, 6, release).wait(5)


def test_what_does_not_fit_waits_until_there_is_room() -> None:
    room, release = Room(10), Event()
    with room.take(5):
        waiting = taken(room, 6, release)
        assert not waiting.wait(0.1)
    assert waiting.wait(5)
    release.set()


def test_all_who_have_some_count_and_each_gives_back_its_own() -> None:
    room, release = Room(10), Event()
    with room.take(4):
        with room.take(4):
            third = taken(room, 4, release)
            assert not third.wait(0.1)
        assert third.wait(5)
        fourth = taken(room, 4, release)
        assert not fourth.wait(0.1)
    assert fourth.wait(5)
    release.set()


def test_everybody_who_fits_then_goes_on() -> None:
    room, release = Room(10), Event()
    with room.take(10):
        both = taken(room, 5, release), taken(room, 5, release)
        assert not any(each.wait(0.1) for each in both)
    assert all(each.wait(5) for each in both)
    release.set()


def test_what_is_larger_than_all_of_it_is_alone() -> None:
    room, release = Room(10), Event()
    with room.take(11):
        waiting = taken(room, 0, release)
        assert not waiting.wait(0.1)
    assert waiting.wait(5)
    release.set()


def test_an_error_gives_the_room_back() -> None:
    room, release = Room(10), Event()
    with pytest.raises(KeyError), room.take(10):
        raise KeyError
    assert taken(room, 10, release).wait(5)
    release.set()
