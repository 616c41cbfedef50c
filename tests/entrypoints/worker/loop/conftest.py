"""The loop takes the signals of its process and may end it: here neither reaches the tests."""

import os
import signal
from collections.abc import Iterator

import pytest

from tests.entrypoints.worker.loop.stage import Exits, Stage, exit_timers


@pytest.fixture(autouse=True)
def exits(monkeypatch: pytest.MonkeyPatch) -> Iterator[Exits]:
    """The loop takes signals for itself, and may end the process; the tests' own must go on."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    exits = Exits()
    monkeypatch.setattr(os, "_exit", exits)
    yield exits
    for number, handler in before.items():
        signal.signal(number, handler)
    for timer in exit_timers():
        timer.cancel()
        timer.join(5)  # one that has fired would end the process for good once `_exit` is real


@pytest.fixture
def stage(caplog: pytest.LogCaptureFixture) -> Stage:
    caplog.set_level("INFO")
    return Stage()
