"""The executor's statements: claim, heartbeat, finish, release, recover."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias
from uuid import UUID

from sqlalchemy import Connection, Engine, bindparam, func, select, update
from sqlalchemy.exc import DBAPIError
from typing_extensions import override

from adapters.postgres.claim_floor import FROM_THE_START, ClaimFloors, Floor, floor_statement
from adapters.postgres.claim_statement import claim_statement
from adapters.postgres.connections import single_statement, sqlstate_of
from adapters.postgres.hot_statement import Driver, Row, compiled, hot_connection
from adapters.postgres.outcome_statement import (
    ENDED_AS,
    finish_and_claim_statement,
    finish_statement,
)
from adapters.postgres.row_mapping import to_work_item
from adapters.postgres.settlement import settle_dead, settle_released, settle_stalled
from adapters.postgres.tables import WORK_ITEMS
from adapters.postgres.transition_sql import allowed, assignments, progress_parameters
from application.ports.work_item_execution import (
    Answer,
    Beat,
    BeatAnswer,
    ClaimRequest,
    OutcomeRefused,
    OutcomeUnstorable,
    Refused,
    Settled,
    WorkItemExecution,
)
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.outcome import Cancelled, Failed, Succeeded
from domain.work.progress import Progress
from domain.work.status import FINISHED, WorkStatus
from domain.work.transitions import TABLE, Transition, sources_of

Parameters: TypeAlias = Mapping[str, object]
_ROW = WORK_ITEMS.c
_MINE = _ROW.id == bindparam("item_id")
CLAIM = compiled(claim_statement())
FLOOR = compiled(floor_statement())
BEAT = compiled(
    update(WORK_ITEMS)
    .where(_MINE, allowed(Transition.HEARTBEAT))
    .values(assignments(Transition.HEARTBEAT))
    .returning(_ROW.cancel_requested_at)
)
FINISH = {
    transition: compiled(finish_statement(transition))
    for transition in (Transition.SUCCEED, Transition.FAIL, Transition.END_AS_CANCELLED)
}
FINISH_AND_CLAIM = {
    transition: compiled(finish_and_claim_statement(transition))
    for transition in (Transition.SUCCEED, Transition.FAIL)
}
_STALLED = (
    select(_ROW.id)
    .where(_ROW.status.in_(sorted(sources_of(Transition.RECOVER))))
    .where(_ROW.lease_until < func.clock_timestamp())
    .order_by(_ROW.lease_until, _ROW.id)
    .limit(bindparam("most"))
)
LATEST_COMMIT = timedelta(seconds=10)
# Data exceptions, constraints, and a statement that is too complex: the values are at fault.
_VALUES_AT_FAULT = ("22", "23", "54")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresWorkItemExecution(WorkItemExecution):
    engine: Engine
    latest_commit: timedelta = LATEST_COMMIT
    """How long after it was asked for an item may become visible: the live view's look-back."""
    floors: ClaimFloors = field(default_factory=ClaimFloors)

    @override
    def claim(self, request: ClaimRequest) -> WorkItem | None:
        rows: Sequence[Row] = ()
        try:
            with hot_connection(self.engine) as driver:
                rows = CLAIM.rows(driver, {**_wanted(request), **self._floor(driver, request)})
                if not rows:
                    # It never says "nothing to do" before it has looked from the very start.
                    rows = CLAIM.rows(driver, {**_wanted(request), **FROM_THE_START.parameters()})
        finally:
            if not rows:
                self.floors.forget(_who(request))
        return to_work_item(rows[0]) if rows else None

    def _floor(self, driver: Driver, request: ClaimRequest) -> Parameters:
        whose = {**_whose(request), "latest_commit": self.latest_commit}

        def look() -> Floor:
            [row] = FLOOR.rows(driver, whose)
            return Floor(floor=row["floor"], asleep=row["asleep"])

        return self.floors.of(_who(request), look).parameters()

    @override
    def heartbeat(self, tag: AttemptTag, progress: Progress, lease: timedelta) -> BeatAnswer:
        parameters = {**_claim_of(tag), **progress_parameters(progress), "lease": lease}
        with hot_connection(self.engine) as driver:
            rows = BEAT.rows(driver, parameters)
        if not rows:
            with single_statement(self.engine) as connection:
                return _why_refused(connection, tag)
        return Beat(cancel_requested=rows[0]["cancel_requested_at"] is not None)

    @override
    def finish(
        self, tag: AttemptTag, outcome: Succeeded | Failed | Cancelled, progress: Progress
    ) -> Answer:
        transition, values = _transition_for(outcome)
        parameters = {**_claim_of(tag), **progress_parameters(progress), **values}
        with _named_refusals(), hot_connection(self.engine) as driver:
            rows = FINISH[transition].rows(driver, parameters)
        return self._answer(tag, transition, rows[0]["status"] if rows else None)

    @override
    def finish_and_claim(
        self,
        tag: AttemptTag,
        outcome: Succeeded | Failed,
        progress: Progress,
        request: ClaimRequest,
    ) -> tuple[Answer, WorkItem | None]:
        transition, values = _transition_for(outcome)
        mine = {**_claim_of(tag), **progress_parameters(progress), **values}
        found = False
        try:
            with _named_refusals(), hot_connection(self.engine) as driver:
                wanted = {**_wanted(request), **self._floor(driver, request)}
                [row] = FINISH_AND_CLAIM[transition].rows(driver, {**mine, **wanted})
            found = row["id"] is not None
        finally:
            if not found:
                self.floors.forget(_who(request))
        answer = self._answer(tag, transition, row[ENDED_AS])
        return answer, to_work_item(row) if found else None

    def _answer(self, tag: AttemptTag, transition: Transition, written: str | None) -> Answer:
        if written is not None:
            return Settled(status=WorkStatus(written))
        with single_statement(self.engine) as connection:
            return _earlier_commit(connection, tag, TABLE[transition].target)

    @override
    def release(self, tag: AttemptTag, partial: Mapping[str, object] | None) -> Answer:
        with _named_refusals():
            return settle_released(self.engine, tag, partial)

    @override
    def stalled(self, most: int) -> Sequence[UUID]:
        with single_statement(self.engine) as connection:
            return list(connection.execute(_STALLED, {"most": most}).scalars())

    @override
    def recover(self, item_id: UUID, *, stall_limit: int) -> Answer:
        return settle_stalled(self.engine, item_id, stall_limit)

    @override
    def recover_dead(self, tag: AttemptTag, *, stall_limit: int) -> Answer:
        with _named_refusals():
            return settle_dead(self.engine, tag, stall_limit)


@contextmanager
def _named_refusals() -> Iterator[None]:
    """An outage has its name already; the Worker must outlive whatever else is said."""
    try:
        yield
    except DBAPIError as error:
        if (sqlstate_of(error) or "").startswith(_VALUES_AT_FAULT):
            raise OutcomeUnstorable("the database refused the outcome") from error
        raise OutcomeRefused("the database refused the statement") from error


def _who(request: ClaimRequest) -> Hashable:
    return (request.serves, *request.kinds)


def _whose(request: ClaimRequest) -> Parameters:
    return {"user_id": request.serves.user_id, "kinds": list(request.kinds)}


def _wanted(request: ClaimRequest) -> Parameters:
    return {**_whose(request), "worker": request.worker, "lease": request.lease}


def _claim_of(tag: AttemptTag) -> dict[str, object]:
    return {"item_id": tag.item_id, "my_attempt": tag.attempt}


def _transition_for(
    outcome: Succeeded | Failed | Cancelled,
) -> tuple[Transition, dict[str, object]]:
    match outcome:
        case Succeeded(result):
            return Transition.SUCCEED, {"result": dict(result)}
        case Failed(error):
            return Transition.FAIL, {"error": error}
        case Cancelled(partial):
            return Transition.END_AS_CANCELLED, {"result": partial and dict(partial)}


def _why_refused(connection: Connection, tag: AttemptTag) -> Refused:
    found = select(_ROW.status, _ROW.attempt).where(_ROW.id == tag.item_id)
    row = connection.execute(found).first()
    if row is None:
        return Refused.UNKNOWN
    if row.attempt == tag.attempt and row.status == WorkStatus.RUNNING:
        return Refused.NOT_NOW
    return Refused.FINISHED if row.status in FINISHED else Refused.FENCED_OFF


def _earlier_commit(connection: Connection, tag: AttemptTag, target: WorkStatus) -> Answer:
    """My attempt with my outcome is a commit of ours whose answer was lost."""
    found = select(_ROW.id).where(
        _ROW.id == tag.item_id, _ROW.attempt == tag.attempt, _ROW.status == target.value
    )
    if connection.execute(found).first() is not None:
        return Settled(status=target)
    return _why_refused(connection, tag)
