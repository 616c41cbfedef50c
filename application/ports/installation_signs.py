"""What the database tells of the rest of an installation: its time, and who else is there."""

from abc import abstractmethod
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSigns:
    """Signs of life of Workers."""

    sessions: int
    """Connections that Workers hold open."""
    live_leases: int
    """Running items whose Worker gave a sign within the lease."""
    lapsed_leases: int
    """Running items whose lease ran out: some Worker would have recovered them."""


class InstallationSigns(Protocol):
    @abstractmethod
    def time(self) -> datetime:
        """The database's clock; DatabaseUnavailable."""

    @abstractmethod
    def workers(self) -> WorkerSigns:
        """What tells of Workers that live; DatabaseUnavailable."""
