"""What the executor knows of the run that is under way, and what the end of it means."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from application.ports.runner import Interrupted, Raised, Report, Returned, Stopped
from domain.work.outcome import Cancelled, Failed, Outcome, Released, Stalled, Succeeded

UNASKED = "WorkCancelled: the handler stopped without having been asked to"


@dataclass(frozen=True, slots=True)
class Died:
    """The runner's process ended by itself."""


@dataclass(frozen=True, slots=True)
class Killed:
    """We ended the runner's process, because its time was up."""


End: TypeAlias = Report | Died | Killed


@dataclass(slots=True)
class RunState:
    """Why the handler was told to stop, if it was; `stop_by` is on the stopwatch."""

    cancelled: bool = False
    shutting_down: bool = False
    fenced: bool = False
    stop_by: float | None = None

    def outcome_of(self, end: End) -> Outcome:
        """What to write for this end of an attempt that was not fenced off."""
        match end:
            case Returned(result):
                return Succeeded(result)
            case Raised(error):
                return Failed(error)
            case Stopped(partial):
                return self._stopped(partial)
            case Interrupted():
                return Released() if self.shutting_down else Stalled()
            case Died():
                return Stalled()
            case Killed():
                return Released()
            case _:
                assert_never(end)

    def _stopped(self, partial: Mapping[str, object] | None) -> Outcome:
        if self.cancelled:
            return Cancelled(partial)
        if self.shutting_down:
            return Released(partial)
        return Failed(UNASKED)
