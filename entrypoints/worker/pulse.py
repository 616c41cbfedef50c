"""Tells loops that turn from loops that are stuck."""

import time
from collections.abc import Callable

from typing_extensions import override

from application.execution.inbox import Inbox, Signal
from application.ports.ear import Ear


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


class ListeningInbox(Inbox):
    """Waits for what others put into it and for what the runner says, in one.

    The main loop looks into it at every turn, and every second while an item runs.
    """

    def __init__(self, ear: Ear, pulse: Pulse) -> None:
        super().__init__()
        self._ear, self._pulse = ear, pulse

    @override
    def put(self, signal: Signal) -> None:
        super().put(signal)
        self._ear.wake()

    @override
    def next(self, timeout: float) -> Signal | None:
        self._pulse.beat()
        until = time.monotonic() + timeout
        while (signal := super().next(0)) is None:
            left = until - time.monotonic()
            if left <= 0:
                return None
            self._ear.listen(left)
        return signal
