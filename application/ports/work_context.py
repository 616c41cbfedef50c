"""What a handler is given beside its payload: nothing of leases, statuses or the store."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from domain.errors import DomainError
from domain.work.attempt import AttemptTag

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
Result: TypeAlias = Mapping[str, JsonValue]
"""A handler's result: counts and facts, at most 256 KiB of JSON."""


class WorkCancelled(DomainError):
    """The handler stopped because it was asked to; `partial` is what it had done by then."""

    def __init__(self, partial: Result | None = None) -> None:
        super().__init__("the work was cancelled")
        self.partial = partial


class ProgressSink(Protocol):
    """Takes the newest progress; it reaches the database with the next heartbeat."""

    @abstractmethod
    def report(self, done: int, total: int | None = None, note: str | None = None) -> None:
        """Keep this snapshot instead of the one before. Cheap; callable from any thread.

        The note is cut at 200 characters and must name no file and no folder.
        """


class CancellationToken(Protocol):
    """Tells a handler that it should stop: cancelled, shutting down, or fenced off."""

    @property
    @abstractmethod
    def requested(self) -> bool:
        """Whether to stop. Look at least every few seconds."""

    @abstractmethod
    def raise_if_requested(self, partial: Result | None = None) -> None:
        """Raise WorkCancelled with the partial result when stopping was requested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkContext:
    """One run of a handler. Each run starts from scratch and converges; effects repeat safely."""

    tag: AttemptTag
    progress: ProgressSink
    cancellation: CancellationToken
