"""What only a Worker's executor may do to items. Each method is one guarded transaction."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import Protocol, TypeAlias
from uuid import UUID

from domain.errors import DomainError
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.outcome import Cancelled, Failed, Succeeded
from domain.work.progress import Progress
from domain.work.status import WorkStatus


class OutcomeUnstorable(DomainError):
    """The database refuses the outcome itself (not its writer): trying again would not help."""


class OutcomeRefused(DomainError):
    """The database refused to write an outcome, and the values are not why; it may yet take it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Serves:
    """Whose storage configs a Worker serves; None means everyone's. Unscoped items always."""

    user_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRequest:
    """What a Worker asks for: an item of these kinds, for a lease. `worker` is for display."""

    serves: Serves
    kinds: Sequence[str]
    worker: str
    lease: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """A heartbeat that was written."""

    cancel_requested: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The transition happened (or had happened before, with the answer lost)."""

    status: WorkStatus


class Refused(Enum):
    """The transition did not happen, and why."""

    UNKNOWN = auto()
    """There is no such item: its config was deleted, say."""
    FINISHED = auto()
    """The item has ended otherwise."""
    FENCED_OFF = auto()
    """The attempt is not the current one, or not running any more."""
    NOT_NOW = auto()
    """Somebody else is at it, or a guard did not hold; the item may be looked at again."""


BeatAnswer: TypeAlias = Beat | Refused
Answer: TypeAlias = Settled | Refused


class WorkItemExecution(Protocol):
    """All raise DatabaseUnavailable when no answer came: it may be done all the same."""

    @abstractmethod
    def claim(self, request: ClaimRequest) -> WorkItem | None:
        """Take the oldest queued item of these kinds in an active scope; None: nothing to do.

        Never the same item to two callers; never None while an item in scope waits that nobody
        holds.
        """

    @abstractmethod
    def heartbeat(self, tag: AttemptTag, progress: Progress, lease: timedelta) -> BeatAnswer:
        """Extend the lease to `lease` from now, store the progress, and read the cancel request."""

    @abstractmethod
    def finish(
        self, tag: AttemptTag, outcome: Succeeded | Failed | Cancelled, progress: Progress
    ) -> Answer:
        """End the item. Settled too when this attempt had ended it like this before.

        OutcomeUnstorable when the database refuses the values; OutcomeRefused when it refuses the
        statement for another reason; DatabaseUnavailable when no answer came. Trying again is safe.
        """

    @abstractmethod
    def finish_and_claim(
        self,
        tag: AttemptTag,
        outcome: Succeeded | Failed,
        progress: Progress,
        request: ClaimRequest,
    ) -> tuple[Answer, WorkItem | None]:
        """`finish` and `claim` in one transaction: both are written, or neither is.

        A refused outcome does not keep the next item back. No item means that `claim` is to be
        asked, which alone says that nothing waits. Errors as for `finish`; after one, `finish`
        itself tells whether this was written after all, and what it claimed has a lease.
        """

    @abstractmethod
    def release(self, tag: AttemptTag, partial: Mapping[str, object] | None) -> Answer:
        """Hand the item back without a stall; a cancel request or a queued twin ends it instead.

        OutcomeRefused and DatabaseUnavailable as for `finish`.
        """

    @abstractmethod
    def stalled(self, most: int) -> Sequence[UUID]:
        """Items whose lease ran out, whoever's they are, the longest expired first."""

    @abstractmethod
    def recover(self, item_id: UUID, *, stall_limit: int) -> Answer:
        """Settle one item whose lease ran out: cancelled, given up, superseded, or queued again.

        NOT_NOW when another Worker is at it or its config is just being deleted.
        """

    @abstractmethod
    def recover_dead(self, tag: AttemptTag, *, stall_limit: int) -> Answer:
        """The same for an attempt whose own Worker saw its run die, whatever its lease says.

        OutcomeRefused and DatabaseUnavailable as for `finish`.
        """
