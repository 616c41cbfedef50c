"""The executor's statements: claim, heartbeat, finish, release, recover."""

from collections.abc import Iterator, Mapping, Sequence
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
from adapters.postgres.row_mapping import to_work_item
from adapters.postgres.settlement import settle_dead, settle_released, settle_stalled
from adapters.postgres.tables import WORK_ITEMS
from adapters.postgres.transition_sql import allowed, assignments, progress_parameters
from application.ports.work_item_execution import (
    Answer,
    Beat,
    BeatAnswer,
    OutcomeRefused,
    OutcomeUnstorable,
    Refused,
    Serves,
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
    transition: compiled(
        update(WORK_ITEMS)
        .where(_MINE, allowed(transition))
        .values(assignments(transition))
        .returning(_ROW.status)
    )
    for transition in (Transition.SUCCEED, Transition.FAIL, Transition.END_AS_CANCELLED)
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
    def claim(
        self, serves: Serves, *, kinds: Sequence[str], worker: str, lease: timedelta
    ) -> WorkItem | None:
        whose: Parameters = {"user_id": serves.user_id, "kinds": list(kinds)}
        how = {**whose, "worker": worker, "lease": lease}
        who = (serves, *kinds)
        rows: Sequence[Row] = ()
        try:
            with hot_connection(self.engine) as driver:
                floor = self.floors.of(who, lambda: self._floor(driver, whose))
                rows = CLAIM.rows(driver, {**how, **floor.parameters()})
                if not rows:
                    # It never says "nothing to do" before it has looked from the very start.
                    rows = CLAIM.rows(driver, {**how, **FROM_THE_START.parameters()})
        finally:
            if not rows:
                self.floors.forget(who)
        return to_work_item(rows[0]) if rows else None

    def _floor(self, driver: Driver, whose: Parameters) -> Floor:
        [row] = FLOOR.rows(driver, {**whose, "latest_commit": self.latest_commit})
        return Floor(floor=row["floor"], asleep=row["asleep"])

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
        if rows:
            return Settled(status=WorkStatus(rows[0]["status"]))
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
