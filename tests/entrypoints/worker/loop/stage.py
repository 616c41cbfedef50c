"""The Worker's main loop around doubles."""

import threading

import pytest

from entrypoints.worker.loop import WorkerLoop
from entrypoints.worker.loops import Loop
from tests.contracts.harness import InMemoryPorts
from tests.fakes.execution import HandMovedStopwatch, ScriptedInbox, ScriptedRunner
from tests.fakes.executor import execute_work
from tests.fakes.work_table import InMemoryWorkItemExecution

READY = ("INFO", "ready to work")


class Stage:
    def __init__(self) -> None:
        self.ports = InMemoryPorts()
        self.store: InMemoryWorkItemExecution = InMemoryWorkItemExecution(self.ports.table)
        self.stopwatch = HandMovedStopwatch()
        self.inbox = ScriptedInbox(self.stopwatch)
        self.runner = ScriptedRunner(self.stopwatch, kinds=("TokenCleanup",))
        self.side_loops: tuple[Loop, ...] = ()
        self.share_of_poll = 1.0

    def loop(self, grace_seconds: float = 8, exit_slack_seconds: float = 1.5) -> WorkerLoop:
        execute = execute_work(self.store, self.inbox, self.runner)
        return WorkerLoop(
            claim=execute.finish_and_claim.claim,
            execute=execute,
            runner=self.runner,
            inbox=self.inbox,
            side_loops=self.side_loops,
            poll_seconds=2,
            share_of_poll=lambda: self.share_of_poll,
            grace_seconds=grace_seconds,
            exit_slack_seconds=exit_slack_seconds,
        )

    def run(self) -> int:
        return self.loop().run()


class Exits:
    """Notes with which statuses the process would have been left at once."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self._left = threading.Event()

    def __call__(self, status: int) -> None:
        self.statuses.append(status)
        self._left.set()

    def wait(self) -> bool:
        return self._left.wait(20)


def exit_timers() -> list[threading.Timer]:
    return [each for each in threading.enumerate() if isinstance(each, threading.Timer)]


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """What the loop itself said."""
    mine = [each for each in caplog.records if each.name == "entrypoints.worker.loop"]
    return [(each.levelname, each.getMessage()) for each in mine]
