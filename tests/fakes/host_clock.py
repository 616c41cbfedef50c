"""The host's clock, which a test moves by hand."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from typing_extensions import override

from application.ports.clock import Clock


@dataclass
class InMemoryClock(Clock):
    """Stands still until it is moved."""

    instant: datetime = field(default_factory=lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))

    @override
    def now(self) -> datetime:
        return self.instant

    def move(self, span: timedelta) -> None:
        self.instant += span
