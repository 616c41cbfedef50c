"""Tells loops that turn from loops that are stuck."""

import time
from collections.abc import Callable

from typing_extensions import override

from application.execution.inbox import Inbox, Signal


class Pulse:
    """When something last came round. Written by one thread, read by any."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._last: float | None = None

    def beat(self) -> None:
        self._last = self._now()

    def silent_for(self) -> float | None:
        """Seconds since the last beat; None before the first."""
        return None if self._last is None else self._now() - self._last


class PulsingInbox(Inbox):
    """The main loop looks into its inbox at every turn, and every second while an item runs."""

    def __init__(self, pulse: Pulse) -> None:
        super().__init__()
        self._pulse = pulse

    @override
    def next(self, timeout: float) -> Signal | None:
        self._pulse.beat()
        return super().next(timeout)
