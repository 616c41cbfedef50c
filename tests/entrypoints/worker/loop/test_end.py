"""How the loop ends: with which status, and held up by nothing."""

import signal
import threading
import time

import pytest
from typing_extensions import override

from application.execution.inbox import ShutDown, ShutDownNow
from entrypoints.worker.loops import Loop
from tests.entrypoints.worker.loop.stage import READY, Exits, Stage, exit_timers, lines
from tests.fakes.execution import ScriptedRunner


@pytest.mark.parametrize(
    ("signal", "status"), [(ShutDown(), 0), (ShutDownNow(), 0), (ShutDownNow(broken="x"), 1)]
)
def test_how_it_was_stopped_is_its_status(
    stage: Stage, signal: ShutDown | ShutDownNow, status: int
) -> None:
    stage.inbox.at(1, signal)
    assert stage.run() == status
    assert len(stage.runner.killed_at) == 1


def test_side_loops_run_beside_it_and_hold_its_end_up_for_half_a_second(stage: Stage) -> None:
    begun, release = threading.Event(), threading.Event()

    def hang() -> None:
        begun.set()
        release.wait(10)

    stage.side_loops = (Loop(name="beat", step=hang, seconds=60, inbox=stage.inbox),)

    def stop() -> None:
        assert begun.wait(5)
        stage.inbox.put(ShutDown())

    stage.inbox.at(1, stop)
    began = time.monotonic()
    assert stage.run() == 0
    assert begun.is_set()
    assert 0.5 <= time.monotonic() - began < 3
    release.set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_first_signal_asks_decently_and_the_second_at_once(
    stage: Stage, number: signal.Signals
) -> None:
    seen: list[ShutDown | ShutDownNow | None] = []

    def send() -> None:
        signal.raise_signal(number)
        seen.append(stage.inbox.stopping)

    stage.inbox.at(1, send)
    loop = stage.loop()
    assert loop.run() == 0
    send()
    assert seen == [ShutDown(), ShutDownNow()]
    # Grace time and slack, then slack alone; nobody waits for the timers.
    assert [each.interval for each in exit_timers()] == [9.5, 1.5]
    assert all(each.daemon for each in exit_timers())


@pytest.mark.parametrize(("stopped_by", "status"), [(ShutDown(), 0), (ShutDownNow(broken="x"), 1)])
def test_a_frozen_database_does_not_hold_the_exit_up(
    stage: Stage,
    caplog: pytest.LogCaptureFixture,
    exits: Exits,
    stopped_by: ShutDown | ShutDownNow,
    status: int,
) -> None:
    def freeze() -> None:
        signal.raise_signal(signal.SIGTERM)
        stage.inbox.put(stopped_by)
        assert exits.wait()
        assert len(stage.runner.killed_at) == 1

    stage.inbox.at(1, freeze)
    stage.loop(grace_seconds=0, exit_slack_seconds=0.3).run()
    assert exits.statuses == [status]
    said = ("ERROR", "something holds the exit up: leaving; the lease will run out")
    assert lines(caplog) == [READY, said]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_runner_that_cannot_be_killed_does_not_hold_the_exit_up(
    stage: Stage, exits: Exits
) -> None:
    class Unkillable(ScriptedRunner):
        @override
        def kill(self) -> None:
            super().kill()
            if threading.current_thread() is not threading.main_thread():
                raise OSError("no")

    stage.runner = Unkillable(stage.stopwatch, kinds=("TokenCleanup",))

    def freeze() -> None:
        signal.raise_signal(signal.SIGTERM)
        assert exits.wait()

    stage.inbox.at(1, freeze)
    stage.loop(grace_seconds=0, exit_slack_seconds=0.3).run()
    assert exits.statuses == [0]
