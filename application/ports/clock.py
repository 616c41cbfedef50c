"""Tells the host's time, for tokens; never for what stands in work_items."""

from abc import abstractmethod
from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The host's clock."""

    @abstractmethod
    def now(self) -> datetime:
        """The instant, aware and in UTC."""
