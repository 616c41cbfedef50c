"""The work item, and the table of transitions applied to it as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Self, assert_never
from uuid import UUID

from domain.errors import DomainError
from domain.work.attempt import AttemptTag
from domain.work.progress import NO_PROGRESS, Progress
from domain.work.status import FINISHED, WorkStatus
from domain.work.transitions import (
    STALLED_ERROR,
    SUPERSEDED_ERROR,
    TABLE,
    Effect,
    Guard,
    Transition,
)

TICK = timedelta(microseconds=1)


class IllegalTransition(DomainError):
    """The item's status or a guard does not allow the transition."""

    def __init__(self, item_id: UUID, status: WorkStatus, transition: Transition) -> None:
        super().__init__(f"work item {item_id}: {transition} is not allowed while {status}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What a transition is made with; each effect reads only its own part."""

    now: datetime
    attempt: int | None = None
    """The caller's attempt, where it has one."""
    stalled: bool = False
    """A stall and not a release."""
    run_died: bool = False
    """The item's own Worker saw the run die, whatever the lease says."""
    stall_limit: int = 1
    queued_twin: UUID | None = None
    worker: str | None = None
    lease: timedelta = timedelta()
    progress: Progress | None = None
    result: Mapping[str, object] | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """One request for one piece of work. Instants are the database's, aware, in UTC."""

    id: UUID
    kind: str
    payload: Mapping[str, object]
    storage_config_id: UUID | None = None
    dedup_key: str | None = None
    requested_by: UUID | None = None
    requested_at: datetime
    status: WorkStatus = WorkStatus.QUEUED
    attempt: int = 0
    stalls: int = 0
    claimed_by: str | None = None
    started_at: datetime | None = None
    lease_until: datetime | None = None
    finished_at: datetime | None = None
    updated_at: datetime
    cancel_requested_at: datetime | None = None
    progress: Progress = field(default=NO_PROGRESS)
    result: Mapping[str, object] | None = None
    error: str | None = None

    def tag(self) -> AttemptTag:
        """What fences this claim."""
        return AttemptTag(item_id=self.id, attempt=self.attempt)

    def is_finished(self) -> bool:
        return self.status in FINISHED

    def lease_ran_out(self, now: datetime) -> bool:
        return self.lease_until is not None and self.lease_until < now

    def allows(self, transition: Transition, occasion: Occasion) -> bool:
        """Whether the status and every guard allow the transition."""
        rule = TABLE[transition]
        return self.status is rule.source and all(
            self._holds(guard, occasion) for guard in rule.guards
        )

    def apply(self, transition: Transition, occasion: Occasion) -> Self:
        """The item after the transition; IllegalTransition where the table does not allow it."""
        if not self.allows(transition, occasion):
            raise IllegalTransition(self.id, self.status, transition)
        rule = TABLE[transition]
        changed = replace(self, status=rule.target)
        for effect in rule.effects:
            changed = replace(changed, **self._change(effect, occasion))
        if not changed.looks_like(self):
            changed = replace(changed, updated_at=max(occasion.now, self.updated_at + TICK))
        return changed

    def apply_first(self, transitions: Sequence[Transition], occasion: Occasion) -> Self:
        """The item after the first of the transitions that is allowed."""
        for transition in transitions:
            if self.allows(transition, occasion):
                return self.apply(transition, occasion)
        raise IllegalTransition(self.id, self.status, transitions[-1])

    def looks_like(self, other: Self) -> bool:
        """Whether a reader sees no difference: only the lease may have moved."""
        return replace(self, lease_until=other.lease_until) == other

    def _stalled(self, occasion: Occasion) -> bool:
        if occasion.run_died:
            return self.attempt == occasion.attempt
        return self.lease_ran_out(occasion.now)

    def _holds(self, guard: Guard, occasion: Occasion) -> bool:  # noqa: PLR0911  # a line a guard
        match guard:
            case Guard.MY_ATTEMPT:
                return self.attempt == occasion.attempt
            case Guard.STALLED:
                return self._stalled(occasion)
            case Guard.LET_GO:
                mine = self.attempt == occasion.attempt
                return self._stalled(occasion) if occasion.stalled else mine
            case Guard.CANCEL_REQUESTED:
                return self.cancel_requested_at is not None
            case Guard.NO_CANCEL_REQUEST:
                return self.cancel_requested_at is None
            case Guard.STALLS_BELOW_LIMIT:
                return self.stalls + 1 < occasion.stall_limit
            case Guard.STALLS_AT_LIMIT:
                return self.stalls + 1 >= occasion.stall_limit
            case Guard.QUEUED_TWIN:
                return occasion.queued_twin is not None
            case Guard.NO_QUEUED_TWIN:
                return occasion.queued_twin is None
            case _:
                assert_never(guard)

    def _change(self, effect: Effect, occasion: Occasion) -> dict[str, Any]:  # noqa: C901, PLR0911, PLR0912  # a line an effect
        match effect:
            case Effect.COUNT_ATTEMPT:
                return {"attempt": self.attempt + 1}
            case Effect.TAKE:
                return {"claimed_by": occasion.worker, "started_at": occasion.now}
            case Effect.LEASE:
                return {"lease_until": occasion.now + occasion.lease}
            case Effect.RESET_PROGRESS:
                return {"progress": NO_PROGRESS}
            case Effect.REPORT_PROGRESS:
                return {"progress": occasion.progress or self.progress}
            case Effect.STORE_RESULT | Effect.STORE_PARTIAL:
                return {"result": occasion.result}
            case Effect.STORE_ERROR:
                return {"error": occasion.error}
            case Effect.NAME_STALLS:
                return {"error": stalled_error(self.stalls + 1, self.claimed_by)}
            case Effect.NAME_TWIN:
                return {"error": superseded_error(occasion.queued_twin)}
            case Effect.COUNT_STALL:
                return {"stalls": self.stalls + 1}
            case Effect.COUNT_STALL_IF_STALLED:
                return {"stalls": self.stalls + int(occasion.stalled)}
            case Effect.DROP_LEASE:
                return {"lease_until": None}
            case Effect.GIVE_BACK:
                return {"claimed_by": None, "started_at": None}
            case Effect.FINISH:
                return {"finished_at": occasion.now}
            case Effect.NOTE_CANCEL_REQUEST:
                return {"cancel_requested_at": occasion.now}
            case _:
                assert_never(effect)


def stalled_error(stalls: int, worker: str | None) -> str:
    """Why an item was given up."""
    return STALLED_ERROR.format(stalls=stalls, worker=worker)


def superseded_error(twin: UUID | None) -> str:
    """Why an older item made way for its twin."""
    return SUPERSEDED_ERROR.format(twin=twin)
