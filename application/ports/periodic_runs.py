"""What the table knows of the runs of periodic work, by dedup key."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from domain.work.due import History
from domain.work.status import WorkStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedRun:
    """The newest run of a key that has ended."""

    item_id: UUID
    status: WorkStatus
    finished_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentRun:
    """The run of a key that waits or runs; of several the one that runs."""

    item_id: UUID
    status: WorkStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    last: FinishedRun | None = None
    current: CurrentRun | None = None

    def history(self) -> History:
        """What due-ness is told by."""
        return History(
            is_queued_or_running=self.current is not None,
            last_finished_at=None if self.last is None else self.last.finished_at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodicHistory:
    """Of one moment of the database."""

    runs: Mapping[str, Runs]
    server_time: datetime


class PeriodicRuns(Protocol):
    @abstractmethod
    def of(self, keys: Sequence[str]) -> PeriodicHistory:
        """The runs of each of the dedup keys; every key is in the answer. DatabaseUnavailable."""
