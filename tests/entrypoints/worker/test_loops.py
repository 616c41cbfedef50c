"""How the keeper's side loops go on, and how they end."""

import logging
import threading
import time

import pytest

from application.execution.inbox import Inbox, ShutDownNow
from domain.errors import DatabaseUnavailable
from entrypoints.worker.loops import Loop
from tests.log_records import caught_by


def test_a_loop_steps_at_once_and_goes_on_after_a_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    stepped = threading.Semaphore(0)
    away = DatabaseUnavailable("away")
    faults = iter([away, away, None, None, ValueError("odd"), away])

    def step() -> None:
        stepped.release()
        if fault := next(faults, None):
            raise fault

    inbox = Inbox()
    loop = Loop(name="recovery", step=step, seconds=0.01, inbox=inbox)
    loop.start()
    for _ in range(8):
        assert stepped.acquire(timeout=5)
    loop.stop(5)
    assert [(each.levelname, each.getMessage()) for each in caplog.records] == [
        ("WARNING", "recovery: away; trying again"),
        ("INFO", "recovery: the database is back"),
        ("ERROR", "recovery failed; going on"),
        ("WARNING", "recovery: away; trying again"),
        ("INFO", "recovery: the database is back"),
    ]
    assert isinstance(caught_by(caplog.records[0]), DatabaseUnavailable)
    assert inbox.stopping is None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_loop_that_dies_ends_the_process(caplog: pytest.LogCaptureFixture) -> None:
    def step() -> None:
        raise SystemExit

    inbox = Inbox()
    loop = Loop(name="heartbeat", step=step, seconds=0.01, inbox=inbox)
    loop.start()
    assert inbox.next(5) == ShutDownNow(broken="heartbeat")
    assert [(each.levelno, each.getMessage()) for each in caplog.records] == [
        (logging.CRITICAL, "the loop heartbeat died")
    ]
    loop.stop(5)


def test_a_loop_that_is_told_to_stop_stops_quietly() -> None:
    stepped, inbox = threading.Event(), Inbox()
    loop = Loop(name="scheduler", step=stepped.set, seconds=60, inbox=inbox)
    loop.start()
    assert stepped.wait(5)
    began = time.monotonic()
    loop.stop(5)
    assert time.monotonic() - began < 2
    assert inbox.stopping is None


def test_a_loop_has_a_last_word_which_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    said: list[str] = []
    stepped, inbox = threading.Event(), Inbox()

    def step() -> None:
        said.append("step")
        stepped.set()

    def end() -> None:
        said.append("end")
        raise ValueError("odd")

    loop = Loop(name="presence", step=step, at_end=end, seconds=60, inbox=inbox)
    loop.start()
    assert stepped.wait(5)
    loop.stop(5)
    assert said == ["step", "end"]
    assert [each.getMessage() for each in caplog.records] == ["presence failed at its end"]
    assert inbox.stopping is None


def test_a_loop_waits_between_its_steps() -> None:
    steps: list[float] = []
    both = threading.Event()

    def step() -> None:
        steps.append(time.monotonic())
        if len(steps) == 2:
            both.set()

    loop = Loop(name="beat", step=step, seconds=0.2, inbox=Inbox())
    loop.start()
    assert both.wait(5)
    loop.stop(5)
    assert steps[1] - steps[0] >= 0.2


def test_a_step_that_hangs_holds_no_exit_up() -> None:
    """Its thread has the loop's name, and the process does not wait for it."""
    names: list[tuple[str, bool]] = []
    hanging, release = threading.Event(), threading.Event()

    def step() -> None:
        here = threading.current_thread()
        names.append((here.name, here.daemon))
        hanging.set()
        release.wait(10)

    loop = Loop(name="heartbeat", step=step, seconds=60, inbox=Inbox())
    loop.start()
    assert hanging.wait(5)
    began = time.monotonic()
    loop.stop(0.1)
    assert time.monotonic() - began < 2
    assert names == [("heartbeat", True)]
    release.set()


def test_stopping_a_loop_waits_for_the_step_that_is_under_way() -> None:
    begun, ended = threading.Event(), threading.Event()

    def step() -> None:
        begun.set()
        time.sleep(0.2)
        ended.set()

    loop = Loop(name="heartbeat", step=step, seconds=60, inbox=Inbox())
    loop.start()
    assert begun.wait(5)
    loop.stop(5)
    assert ended.is_set()


def test_a_loop_that_never_started_can_be_stopped() -> None:
    inbox = Inbox()
    Loop(name="heartbeat", step=lambda: None, seconds=60, inbox=inbox).stop(5)
    assert inbox.stopping is None
