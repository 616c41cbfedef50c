"""The keeper's main thread waits for signals and for the runner in one."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from types import FrameType

import pytest

from adapters.runner_process.ear import DescriptorEar
from application.execution.inbox import RunDied, ShutDown
from entrypoints.worker.pulse import ListeningInbox, Pulse
from entrypoints.worker.runner_link import died_into


@pytest.fixture
def ear() -> DescriptorEar:
    return DescriptorEar()


@pytest.fixture
def inbox(ear: DescriptorEar) -> ListeningInbox:
    return ListeningInbox(ear, Pulse())


@pytest.fixture
def _usr1(inbox: ListeningInbox) -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        inbox.put(ShutDown())

    before = signal.signal(signal.SIGUSR1, stop)
    yield
    signal.signal(signal.SIGUSR1, before)


def test_it_waits_as_long_as_it_is_told_although_it_is_woken_for_nothing(
    ear: DescriptorEar, inbox: ListeningInbox
) -> None:
    for _ in range(3):
        ear.wake()
    threading.Timer(0.02, ear.wake).start()
    began = time.monotonic()
    assert inbox.next(0.1) is None
    assert 0.1 <= time.monotonic() - began < 5
    assert inbox.next(-1) is None


def test_what_another_thread_puts_into_it_ends_the_wait(inbox: ListeningInbox) -> None:
    threading.Timer(0.05, inbox.put, [ShutDown()]).start()
    began = time.monotonic()
    assert inbox.next(30) == ShutDown()
    assert time.monotonic() - began < 20
    assert inbox.stopping == ShutDown()


@pytest.mark.usefixtures("_usr1")
def test_what_a_signal_handler_puts_into_it_ends_the_wait(inbox: ListeningInbox) -> None:
    threading.Timer(0.05, os.kill, [os.getpid(), signal.SIGUSR1]).start()
    began = time.monotonic()
    assert inbox.next(30) == ShutDown()
    assert time.monotonic() - began < 20


def test_what_the_runner_says_ends_the_wait(ear: DescriptorEar, inbox: ListeningInbox) -> None:
    ours, theirs = socket.socketpair()
    died = died_into(inbox)

    def hear() -> None:
        ours.recv(8)
        died(None)

    with ours, theirs:
        ear.add(ours.fileno(), hear)
        threading.Timer(0.05, theirs.send, [b"word"]).start()
        began = time.monotonic()
        assert inbox.next(30) == RunDied(None)
        assert time.monotonic() - began < 20
        ear.remove(ours.fileno())


def test_signals_come_in_order_and_without_a_wait(inbox: ListeningInbox) -> None:
    inbox.put(ShutDown())
    inbox.take(RunDied(None))
    assert [inbox.next(0), inbox.next(0), inbox.next(0)] == [ShutDown(), RunDied(None), None]
