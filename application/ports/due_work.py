"""A cheap look at many dedup keys at once, before each due one is decided under its lock."""

from abc import abstractmethod
from collections.abc import Mapping
from datetime import timedelta
from typing import Protocol


class DueWork(Protocol):
    @abstractmethod
    def due(self, intervals: Mapping[str, timedelta]) -> frozenset[str]:
        """Those of the dedup keys that are due now, each by its own interval.

        DatabaseUnavailable.
        """
