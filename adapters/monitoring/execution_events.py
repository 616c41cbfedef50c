"""What happens to attempts, as a monitor wants to hear of it."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from typing_extensions import override

from domain.work.item import WorkItem


class Heard(StrEnum):
    """What was heard of a statement."""

    ITEM = "item"
    NONE = "none"
    WRITTEN = "written"
    REFUSED = "refused"
    FAILED = "failed"


class Fence(StrEnum):
    """How it came out that an attempt was not the current one any more."""

    HEARTBEAT = "heartbeat"
    OUTCOME = "outcome"
    UNKNOWN = "lapsed"
    """Nothing was written: the Worker fenced itself off, or gave the outcome up."""


class StallCause(StrEnum):
    LEASE = "lease"
    DEATH = "death"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """An attempt whose outcome is in the table."""

    item: WorkItem
    outcome: str
    """Succeeded, Failed, Cancelled, Released or Stalled."""
    seconds: float
    result: Mapping[str, object] | None


class ExecutionEvents(Protocol):
    """Called by whichever thread saw it happen; must be quick and must not raise."""

    @abstractmethod
    def claim_asked(self, seconds: float, heard: Heard) -> None:
        """A claim was tried."""

    @abstractmethod
    def began(self, item: WorkItem, claim_seconds: float) -> None:
        """An item was claimed; its run begins."""

    @abstractmethod
    def beat(self, seconds: float, heard: Heard) -> None:
        """A heartbeat was tried."""

    @abstractmethod
    def ended(self, ended: Ended) -> None:
        """A run ended, and its outcome is written."""

    @abstractmethod
    def fenced(self, item: WorkItem, fence: Fence) -> None:
        """An attempt was not the current one any more. Once for each attempt."""

    @abstractmethod
    def recovered(self, cause: StallCause, status: str) -> None:
        """A stalled item was settled; its status now."""


@dataclass(frozen=True, slots=True)
class AllOf(ExecutionEvents):
    """Several monitors."""

    each: Sequence[ExecutionEvents]

    @override
    def claim_asked(self, seconds: float, heard: Heard) -> None:
        for one in self.each:
            one.claim_asked(seconds, heard)

    @override
    def began(self, item: WorkItem, claim_seconds: float) -> None:
        for one in self.each:
            one.began(item, claim_seconds)

    @override
    def beat(self, seconds: float, heard: Heard) -> None:
        for one in self.each:
            one.beat(seconds, heard)

    @override
    def ended(self, ended: Ended) -> None:
        for one in self.each:
            one.ended(ended)

    @override
    def fenced(self, item: WorkItem, fence: Fence) -> None:
        for one in self.each:
            one.fenced(item, fence)

    @override
    def recovered(self, cause: StallCause, status: str) -> None:
        for one in self.each:
            one.recovered(cause, status)
