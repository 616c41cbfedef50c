"""The Workers that were seen lately."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from application.ports.worker_register import WorkerIdentity


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenWorker:
    identity: WorkerIdentity
    started_at: datetime
    """Its first sign of life."""
    seen_at: datetime
    """Its last."""
    item_id: UUID | None
    """What it ran then."""
    stopped_at: datetime | None = None
    """When it stopped as it was told to; None: it has not said so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkersSeen:
    workers: Sequence[SeenWorker]
    """The one seen last comes first."""
    server_time: datetime


class WorkerDirectory(Protocol):
    @abstractmethod
    def seen(self, most: int) -> WorkersSeen:
        """The Workers that are remembered, at most so many. DatabaseUnavailable."""
