"""A server that dies is started again, with pauses that grow while it keeps failing."""

from collections.abc import Callable

import pytest

from domain.errors import DomainError
from entrypoints.cli.kept_server import KeptServer
from entrypoints.cli.supervisor import BackOff


class Now:
    seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Now:
    clock = Now()
    monkeypatch.setattr("time.monotonic", clock)
    return clock


class Flaky:
    def __init__(self, fails: int) -> None:
        self.fails = fails
        self.running = False
        self.tries: list[float] = []
        self.now: Callable[[], float] = lambda: 0.0

    def is_running(self) -> bool:
        return self.running

    def start(self, is_wanted: Callable[[], bool]) -> None:
        assert is_wanted()
        self.tries.append(self.now())
        if len(self.tries) <= self.fails:
            raise DomainError("no")
        self.running = True


def test_a_dead_server_is_tried_after_1_2_4_seconds_until_it_is_back(
    now: Now, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    server = Flaky(fails=2)
    server.now = now
    kept = KeptServer(server=server, is_wanted=lambda: True)
    began = now.seconds
    for _ in range(100):
        kept.look_after()
        now.seconds += 0.25
    assert [tried - began for tried in server.tries] == [1.0, 3.0, 7.0]
    assert [record.getMessage() for record in caplog.records] == [
        "PostgreSQL ended; starting it again in 1 s",
        "no; trying again in 2 s",
        "no; trying again in 4 s",
        "PostgreSQL is back",
    ]


def test_pauses_grow_to_half_a_minute_and_start_over_after_a_sound_life(now: Now) -> None:
    back_off = BackOff()
    pauses = []
    for _ in range(7):
        back_off.started()
        pauses.append(back_off.died())
    assert pauses == [1, 2, 4, 8, 16, 30, 30]
    assert not back_off.is_over()
    now.seconds += 30
    assert back_off.is_over()
    back_off.started()
    now.seconds += 61
    assert back_off.died() == 1
