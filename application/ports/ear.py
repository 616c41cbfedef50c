"""Where the Worker's main thread waits while it has nothing to do."""

from abc import abstractmethod
from typing import Protocol


class Ear(Protocol):
    @abstractmethod
    def listen(self, timeout: float) -> None:
        """Wait until the runner speaks or ends, somebody wakes us, or `timeout` seconds are over.

        What the runner said has been taken when it returns. It may return for nothing. Only ever
        called from the main thread.
        """

    @abstractmethod
    def wake(self) -> None:
        """End the wait that is under way, or the next one. From any thread or signal handler."""
