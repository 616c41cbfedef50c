"""Measures spans on this host; never compared with the database's clock."""

from abc import abstractmethod
from typing import Protocol


class Stopwatch(Protocol):
    @abstractmethod
    def elapsed(self) -> float:
        """Seconds since some fixed instant; never goes back, and runs through a suspend."""
