"""The host's clocks, as a test has them."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from typing_extensions import override

from application.ports.clock import Clock
from application.ports.stopwatch import Stopwatch


@dataclass
class InMemoryClock(Clock):
    """Stands still until it is moved."""

    instant: datetime = field(default_factory=lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))

    @override
    def now(self) -> datetime:
        return self.instant

    def move(self, span: timedelta) -> None:
        self.instant += span


@dataclass
class TickingStopwatch(Stopwatch):
    """Moves by so many seconds each time it is looked at."""

    tick: float = 1.5
    seconds: float = 0.0

    @override
    def elapsed(self) -> float:
        self.seconds += self.tick
        return self.seconds
