"""What the database tells of the rest of an installation: its time, and what was left undone."""

from abc import abstractmethod
from datetime import datetime
from typing import Protocol


class InstallationSigns(Protocol):
    @abstractmethod
    def time(self) -> datetime:
        """The database's clock; DatabaseUnavailable."""

    @abstractmethod
    def lapsed_leases(self) -> int:
        """Running items whose lease ran out: some Worker would have recovered them.

        DatabaseUnavailable.
        """
