"""The keeper's end of a runner that does not go when it is killed."""

import sys
import time
from queue import SimpleQueue
from uuid import uuid4

import pytest

from adapters.runner_process import runner_process
from adapters.runner_process.runner_process import RunnerProcess
from application.ports.runner import Assignment
from domain.work.attempt import AttemptTag

LEAVES_ITS_SOCKET = """
import sys, time
from multiprocessing.connection import Connection
from adapters.runner_process.wire import Ready
socket = Connection(int(sys.argv[1]))
socket.send(Ready(("Script",)))
socket.recv()
socket.close()
time.sleep(60)
"""


def test_a_runner_that_does_not_end_in_time_is_told_as_dead_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner_process, "EXIT_LIMIT_SECONDS", 0.0)
    deaths: SimpleQueue[AttemptTag | None] = SimpleQueue()
    runner = RunnerProcess(
        command=[sys.executable, "-c", LEAVES_ITS_SOCKET],
        environment={},
        on_end=lambda *_: None,
        on_death=deaths.put,
        start_limit=20,
    )
    assert runner.ensure_ready() == ("Script",)
    tag = AttemptTag(item_id=uuid4(), attempt=1)
    runner.begin(Assignment(tag=tag, kind="Script", payload={}))
    assert deaths.get(timeout=10) == tag
    time.sleep(0.1)
    assert runner.ensure_ready() == ("Script",), "the Worker goes on with another"
    runner.kill()
