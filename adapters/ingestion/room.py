"""Room that threads share by weight."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class Room:
    """So much fits at the same time; what is larger than all of it fits alone."""

    def __init__(self, capacity: float) -> None:
        self._capacity = capacity
        self._in_use = 0
        self._changed = Condition()

    @contextmanager
    def take(self, amount: int) -> Iterator[None]:
        """Wait until the others leave so much, and have it until the block ends."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._in_use == 0 or self._in_use + amount <= self._capacity
            )
            self._in_use += amount
        try:
            yield
        finally:
            with self._changed:
                self._in_use -= amount
                self._changed.notify_all()
