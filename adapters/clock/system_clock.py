"""The host's own clock."""

from datetime import UTC, datetime

from typing_extensions import override

from application.ports.clock import Clock


class SystemClock(Clock):
    """Reads the operating system's clock."""

    @override
    def now(self) -> datetime:
        return datetime.now(UTC)
