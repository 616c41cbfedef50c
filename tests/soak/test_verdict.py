"""What a soak calls a fault."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from typing_extensions import override

from tests.soak.run import Soak, report
from tests.soak.samples import MEMORY, SESSIONS

STEADY = [100.0] * 24


@dataclass
class Counts:
    """Of the crowd, and of the feeder."""

    statuses: dict[str, int] = field(default_factory=lambda: {"200": 40})
    events: int = 9
    asked: int = 50
    refused: int = 0


class Steady(Soak):
    """Three processes whose figures stand still."""

    def __init__(self) -> None:
        self.samples = len(STEADY)
        self.pids = {name: {number} for number, name in enumerate(("API", "Worker", "runner"))}
        self.taken = {(name, MEMORY): list(STEADY) for name in self.pids}
        self.ended = {"Succeeded": 50}

    @override
    def counted(self) -> dict[str, int]:
        return self.ended


def leaks(running: Steady) -> None:
    running.taken["API", MEMORY] = [100.0 + number for number in range(24)]


def dies(running: Steady) -> None:
    del running.taken["Worker", MEMORY][5:]


def starts_again(running: Steady) -> None:
    running.pids["runner"].add(99)


def loses_an_item(running: Steady) -> None:
    running.ended = {"Succeeded": 49, "Running": 1}


def opens_sessions(running: Steady) -> None:
    running.taken["API", SESSIONS] = [4.0] * 12 + [7.0] * 12


def verdict(running: Steady, counts: Counts) -> int:
    return report(running, counts, counts, [])  # type: ignore[arg-type]


def test_what_stands_still_is_no_fault() -> None:
    assert verdict(Steady(), Counts()) == 0


@pytest.mark.parametrize(
    "fault", [leaks, dies, starts_again, loses_an_item, opens_sessions], ids=lambda f: f.__name__
)
def test_what_grows_dies_or_is_lost_is_one(fault: Callable[[Steady], None]) -> None:
    running = Steady()
    fault(running)
    assert verdict(running, Counts()) == 1


@pytest.mark.parametrize("counts", [Counts(events=0), Counts(statuses={"200": 39, "503": 1})])
def test_streams_that_are_refused_or_say_nothing_are_one(counts: Counts) -> None:
    assert verdict(Steady(), counts) == 1
