"""A clock that a test moves by hand."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from typing_extensions import override

from application.ports.clock import Clock


@dataclass
class InMemoryClock(Clock):
    """Stands still until it is moved."""

    instant: datetime = field(default_factory=lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))
    seconds: float = 0.0

    @override
    def now(self) -> datetime:
        return self.instant

    @override
    def monotonic(self) -> float:
        return self.seconds

    def move(self, span: timedelta) -> None:
        self.instant += span
        self.seconds += span.total_seconds()
