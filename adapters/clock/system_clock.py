"""The host's own clock."""

import time
from datetime import UTC, datetime

from typing_extensions import override

from application.ports.clock import Clock


class SystemClock(Clock):
    """Reads the operating system's clocks."""

    @override
    def now(self) -> datetime:
        return datetime.now(UTC)

    @override
    def monotonic(self) -> float:
        return time.monotonic()
