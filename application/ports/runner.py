"""The process that runs handlers, one item at a time, apart from the one that keeps the lease."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from domain.errors import DomainError
from domain.work.attempt import AttemptTag
from domain.work.progress import Progress


class RunnerUnfit(DomainError):
    """The runner refuses to work (its registry is incomplete, say) or does not start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """One attempt to run."""

    tag: AttemptTag
    kind: str
    payload: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Returned:
    """The handler returned a result that can be stored."""

    result: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Raised:
    """The handler raised, or its payload or result is not valid; the error is fit for an admin."""

    error: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The handler stopped because the token asked it to."""

    partial: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The handler lost the database: nothing is wrong with its work, which can be begun anew."""


Report: TypeAlias = Returned | Raised | Stopped | Interrupted


class Runner(Protocol):
    """Its reports arrive in the inbox as RunEnded or RunDied."""

    @abstractmethod
    def ensure_ready(self) -> Sequence[str]:
        """Start the process if it is not there; the kinds that it has handlers for.

        RunnerUnfit when it does not come up. Only ever called from the main thread.
        """

    @abstractmethod
    def begin(self, assignment: Assignment) -> None:
        """Run this; at once RunDied where the process is gone."""

    @abstractmethod
    def progress(self) -> Progress:
        """The newest progress of the current assignment."""

    @abstractmethod
    def stop(self) -> None:
        """Tell the handler to stop; it may take its time."""

    @abstractmethod
    def kill(self) -> None:
        """End the process, whatever it does, and wait until it is gone. Bounded."""
