"""Work spread over threads."""

import threading
import time
from collections.abc import Iterator

import pytest

from application.crawling.spread import spread
from tests.fakes.crawl_context import Token


def test_every_piece_is_worked_on_once() -> None:
    outcomes = spread(lambda piece: piece * 2, range(50), 4, Token())
    assert sorted(outcomes) == list(range(0, 100, 2))


def test_no_more_than_the_width_at_once_and_as_many_as_that() -> None:
    running, most, lock = 0, 0, threading.Lock()

    def work(_: int) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.02)
        with lock:
            running -= 1

    list(spread(work, range(20), 3, Token()))
    assert most == 3


def test_pieces_are_taken_only_as_they_are_needed() -> None:
    taken: list[int] = []

    def pieces() -> Iterator[int]:
        for piece in range(100):
            taken.append(piece)
            yield piece

    outcomes = spread(lambda piece: piece, pieces(), 2, Token())
    next(outcomes)
    assert len(taken) == 3


def test_after_a_request_nothing_is_begun_and_what_was_begun_is_finished() -> None:
    asked = threading.Event()
    worked: list[int] = []

    def work(piece: int) -> int:
        time.sleep(0.05)
        worked.append(piece)
        asked.set()
        return piece

    outcomes = list(spread(work, range(100), 2, Token(when=asked.is_set)))
    assert sorted(outcomes) == sorted(worked)
    assert 1 <= len(worked) <= 4


def test_a_request_before_the_first_piece_begins_nothing() -> None:
    assert list(spread(lambda piece: piece, [1, 2, 3], 2, Token(when=lambda: True))) == []


def test_an_error_of_a_piece_is_raised_and_the_rest_is_not_begun() -> None:
    worked: list[int] = []

    def work(piece: int) -> int:
        if piece == 0:
            raise KeyError(piece)
        time.sleep(0.02)
        worked.append(piece)
        return piece

    with pytest.raises(KeyError):
        list(spread(work, range(100), 2, Token()))
    assert len(worked) <= 4
    assert not [each for each in threading.enumerate() if each.name.startswith("file")]


def test_its_threads_have_a_name() -> None:
    names = spread(lambda _: threading.current_thread().name, [1], 1, Token())
    assert next(names).startswith("file")


def test_an_outcome_does_not_wait_for_slower_pieces() -> None:
    slow = threading.Event()
    began = time.monotonic()
    outcomes = spread(lambda piece: piece or slow.wait(10), [0, 1, 2], 2, Token())
    assert next(outcomes) in (1, 2)
    assert time.monotonic() - began < 5
    slow.set()
    assert len(list(outcomes)) == 2
