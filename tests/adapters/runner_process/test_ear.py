"""The keeper's one wait: for descriptors that speak, and for whoever wakes it."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from types import FrameType

import pytest

from adapters.runner_process.ear import DescriptorEar

Ends = tuple[socket.socket, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def seconds_of_listening(ear: DescriptorEar, timeout: float) -> float:
    began = time.monotonic()
    ear.listen(timeout)
    return time.monotonic() - began


def test_it_waits_no_longer_than_it_was_told() -> None:
    assert 0.05 <= seconds_of_listening(DescriptorEar(), 0.05) < 5
    assert seconds_of_listening(DescriptorEar(), -1) < 5


def test_what_is_ready_is_told_in_the_thread_that_listens(ends: Ends) -> None:
    ours, theirs = ends
    heard: list[tuple[bytes, int]] = []
    ear = DescriptorEar()
    ear.add(ours.fileno(), lambda: heard.append((ours.recv(8), threading.get_ident())))
    theirs.send(b"word")
    assert seconds_of_listening(ear, 30) < 20
    assert heard == [(b"word", threading.get_ident())]


def test_the_end_of_the_other_side_is_told_as_well(ends: Ends) -> None:
    ours, theirs = ends
    heard: list[bytes] = []
    ear = DescriptorEar()
    ear.add(ours.fileno(), lambda: heard.append(ours.recv(8)))
    theirs.close()
    ear.listen(30)
    assert heard == [b""]


def test_what_was_removed_is_not_told_even_by_a_callback_before_it() -> None:
    ear = DescriptorEar()
    pairs = [socket.socketpair() for _ in range(2)]
    told: list[int] = []

    def tell(which: int) -> None:
        told.append(which)
        ear.remove(pairs[1 - which][0].fileno())

    for which, (ours, theirs) in enumerate(pairs):
        ear.add(ours.fileno(), lambda which=which: tell(which))  # type: ignore[misc]
        theirs.send(b"x")
    ear.listen(30)
    assert len(told) == 1
    for pair in pairs:
        for end in pair:
            end.close()


def test_whoever_wakes_it_ends_the_wait_that_is_under_way_or_the_next_one() -> None:
    ear = DescriptorEar()
    threading.Timer(0.05, ear.wake).start()
    assert seconds_of_listening(ear, 30) < 20
    ear.wake()
    ear.wake()
    assert seconds_of_listening(ear, 30) < 20
    assert seconds_of_listening(ear, 0.05) >= 0.05, "both were for the one wait"


def test_a_signal_handler_may_wake_it() -> None:
    ear = DescriptorEar()

    def wake(_number: int, _frame: FrameType | None) -> None:
        ear.wake()

    before = signal.signal(signal.SIGUSR1, wake)
    try:
        threading.Timer(0.05, os.kill, [os.getpid(), signal.SIGUSR1]).start()
        assert seconds_of_listening(ear, 30) < 20
    finally:
        signal.signal(signal.SIGUSR1, before)
