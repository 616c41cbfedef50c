"""The keeper's end of a runner: what it hears, and runners that misbehave."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import pytest

from adapters.runner_process import runner_process
from adapters.runner_process.ear import DescriptorEar
from adapters.runner_process.runner_process import RunnerProcess
from application.ports.runner import Assignment, Report, Returned, RunnerUnfit
from domain.work.attempt import AttemptTag
from domain.work.progress import Progress, progress_of

BEGINNING = """
import os, socket, sys, time
from adapters.runner_process.wire import *
from adapters.runner_process.word_stream import WordStream, say
from application.ports.runner import Returned
from domain.work.progress import progress_of
words, orders = (socket.socket(fileno=int(number)) for number in sys.argv[1:3])
heard, told = WordStream(words), WordStream(orders)
"""
READY = "say(words, Ready(('Script',)))\ntag = heard.next().tag\n"
REPORTS = "say(words, Ended(tag, Returned({'n': 1}), progress_of(2, 3, 'n')))\n"
LIMIT_SECONDS = 20


@dataclass
class Keeper:
    """Listens, and remembers what it was told."""

    script: str
    start_limit: float = LIMIT_SECONDS
    ends: list[tuple[AttemptTag, Report, Progress]] = field(default_factory=list)
    deaths: list[AttemptTag | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ear = DescriptorEar()
        self.tag = AttemptTag(item_id=uuid4(), attempt=1)
        self.runner = RunnerProcess(
            command=[sys.executable, "-c", BEGINNING + self.script],
            environment={},
            ear=self.ear,
            on_end=lambda *end: self.ends.append(end),
            on_death=self.deaths.append,
            start_limit=self.start_limit,
        )

    def begin(self) -> None:
        assert self.runner.ensure_ready() == ("Script",)
        self.runner.begin(Assignment(tag=self.tag, kind="Script", payload={}))

    def listen_until(self, happened: Callable[[], object]) -> None:
        end = time.monotonic() + LIMIT_SECONDS
        while not happened():
            assert time.monotonic() < end, "it never happened"
            self.ear.listen(0.5)


@pytest.fixture
def keepers() -> Iterator[Callable[[str], Keeper]]:
    made: list[Keeper] = []

    def make(script: str) -> Keeper:
        made.append(Keeper(script))
        return made[-1]

    yield make
    for keeper in made:
        keeper.runner.kill()


def test_what_the_runner_reports_is_heard_by_whoever_listens(
    keepers: Callable[[str], Keeper],
) -> None:
    keeper = keepers(READY + REPORTS + "time.sleep(60)")
    keeper.begin()
    keeper.listen_until(lambda: keeper.ends)
    assert keeper.ends == [(keeper.tag, Returned({"n": 1}), progress_of(2, 3, "n"))]
    assert keeper.runner.progress() == progress_of(2, 3, "n")
    assert keeper.deaths == []


def test_what_a_runner_says_before_it_dies_is_heard_before_its_death(
    keepers: Callable[[str], Keeper],
) -> None:
    keeper = keepers(READY + REPORTS)
    keeper.begin()
    keeper.listen_until(lambda: keeper.deaths)
    assert [tag for tag, *_ in keeper.ends] == keeper.deaths == [keeper.tag]


def test_a_death_while_nobody_listens_is_noticed_before_the_next_item(
    keepers: Callable[[str], Keeper],
) -> None:
    keeper = keepers(READY + "time.sleep(60)")
    keeper.begin()
    first = pid_of(keeper)
    os.kill(first, signal.SIGKILL)
    time.sleep(0.2)
    assert keeper.runner.ensure_ready() == ("Script",)
    assert keeper.deaths == [keeper.tag]
    assert pid_of(keeper) != first


def pid_of(keeper: Keeper) -> int:
    child = keeper.runner._child
    assert child is not None
    return child.process.pid


def test_a_runner_frozen_in_the_middle_of_a_word_keeps_nobody(
    keepers: Callable[[str], Keeper],
) -> None:
    keeper = keepers(READY + "words.send(bytes([0, 0, 16, 0]) + b'x' * 10); time.sleep(60)")
    keeper.begin()
    end = time.monotonic() + 1
    while time.monotonic() < end:
        began = time.monotonic()
        keeper.ear.listen(0.1)
        assert time.monotonic() - began < 5
    assert (keeper.ends, keeper.deaths) == ([], [])
    keeper.runner.kill()
    assert keeper.deaths == [keeper.tag]


def test_a_stop_arrives_while_the_handler_runs(keepers: Callable[[str], Keeper]) -> None:
    keeper = keepers(READY + "assert told.next() == Stop(tag)\n" + REPORTS + "time.sleep(60)")
    keeper.begin()
    keeper.runner.stop()
    keeper.listen_until(lambda: keeper.ends)
    assert keeper.ends == [(keeper.tag, Returned({"n": 1}), progress_of(2, 3, "n"))]


def test_a_runner_that_reads_nothing_is_ended_and_not_waited_for(
    keepers: Callable[[str], Keeper], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_process, "SEND_LIMIT_SECONDS", 1)
    keeper = keepers("say(words, Ready(('Script',)))\ntime.sleep(60)")
    assert keeper.runner.ensure_ready() == ("Script",)
    large = Assignment(tag=keeper.tag, kind="Script", payload={"x": "y" * 5_000_000})
    keeper.runner.begin(large)
    assert keeper.deaths == [keeper.tag]


def test_a_runner_that_does_not_end_in_time_is_told_as_dead_all_the_same(
    keepers: Callable[[str], Keeper], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_process, "EXIT_LIMIT_SECONDS", 0.0)
    keeper = keepers(READY + "words.close(); orders.close(); time.sleep(60)")
    keeper.begin()
    keeper.listen_until(lambda: keeper.deaths)
    assert keeper.deaths == [keeper.tag]
    assert keeper.runner.ensure_ready() == ("Script",), "the Worker goes on with another"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("say(words, Unfit('no handler for Crawl'))", "cannot work: no handler for Crawl"),
        ("sys.exit(3)", "it ended before it was ready; its log says why"),
        ("os.fork() or (time.sleep(3), os._exit(0)); os._exit(3)", "it ended"),
    ],
)
def test_a_runner_that_will_not_work_says_why(
    keepers: Callable[[str], Keeper], script: str, said: str
) -> None:
    with pytest.raises(RunnerUnfit, match=said):
        keepers(script).runner.ensure_ready()


def test_a_runner_that_is_silent_is_waited_for_no_longer_than_its_limit() -> None:
    keeper = Keeper("time.sleep(60)", start_limit=0.5)
    with pytest.raises(RunnerUnfit, match=r"was not ready within 0\.5 s"):
        keeper.runner.ensure_ready()


def test_a_runner_that_the_system_will_not_start_is_none() -> None:
    keeper = Keeper("")
    keeper.runner.command = ["/nowhere"]
    opened = Path("/proc/self/fd")
    open_before = len(list(opened.iterdir()))
    for _ in range(2):
        with pytest.raises(RunnerUnfit, match="the runner cannot be started: No such file"):
            keeper.runner.ensure_ready()
    assert len(list(opened.iterdir())) == open_before


def test_whoever_has_no_runner_is_told_at_once() -> None:
    keeper = Keeper("")
    keeper.runner.begin(Assignment(tag=keeper.tag, kind="Script", payload={}))
    assert keeper.deaths == [keeper.tag]
