"""The clock of a database in memory: it only moves when it is told to."""

from datetime import UTC, datetime, timedelta


class HandMovedClock:
    def __init__(self) -> None:
        self.instant = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.instant

    def advance(self, span: timedelta) -> None:
        self.instant += span
