"""Read which Workers were seen lately."""

from dataclasses import dataclass
from typing import Final

from application.ports.worker_directory import WorkerDirectory, WorkersSeen

MOST_WORKERS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWorkers:
    directory: WorkerDirectory

    def __call__(self) -> WorkersSeen:
        """The Workers that retention has left, the one seen last first, at most 200."""
        return self.directory.seen(MOST_WORKERS)
