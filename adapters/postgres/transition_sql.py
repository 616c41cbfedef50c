"""The domain's table of transitions as SQL: conditions and assignments, never written by hand.

Every statement that changes an item takes its WHERE and its SET from here. Parameters are named
as in `domain.work.item.Occasion`.
"""

from dataclasses import dataclass
from typing import Any, assert_never
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Exists,
    Integer,
    Interval,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal,
    null,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.sql import ColumnElement

from adapters.postgres.tables import WORK_ITEMS
from domain.work.item import TICK
from domain.work.progress import Progress
from domain.work.transitions import (
    STALLED_ERROR,
    SUPERSEDED_ERROR,
    TABLE,
    Effect,
    Guard,
    Transition,
)

Sql = ColumnElement[Any]
_ROW = WORK_ITEMS.c
_NOW = func.clock_timestamp()
# A row written by hand must not make the statement fail, and recovery with it.
_STALLS = func.least(_ROW.stalls, 2**31 - 2)
_DONE = bindparam("progress_done", type_=BigInteger)
_TOTAL = bindparam("progress_total", type_=BigInteger)
_NOTE = bindparam("progress_note", type_=Text)
_RESULT = bindparam("result", type_=JSONB(none_as_null=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstance:
    """What a statement knows when it is written, and not only when it runs."""

    stalled: bool = False
    run_died: bool = False


NORMAL = Circumstance()


def progress_parameters(progress: Progress) -> dict[str, object]:
    return {
        "progress_done": progress.done,
        "progress_total": progress.total,
        "progress_note": progress.note,
    }


def allowed(*transitions: Transition, circumstance: Circumstance = NORMAL) -> Sql:
    """WHERE: the row allows one of the transitions."""
    return or_(*(_condition(each, circumstance) for each in transitions))


def assignments(*transitions: Transition, circumstance: Circumstance = NORMAL) -> dict[str, Sql]:
    """SET: the effects of the first of the transitions that the row allows."""
    if len(transitions) == 1:
        return _changes(transitions[0], circumstance)
    branches = [(_condition(e, circumstance), _changes(e, circumstance)) for e in transitions]
    columns = {column for _, changes in branches for column in changes}
    return {
        column: case(
            *((condition, changes.get(column, _ROW[column])) for condition, changes in branches),
            else_=_ROW[column],
        )
        for column in sorted(columns)
    }


def _condition(transition: Transition, circumstance: Circumstance) -> Sql:
    rule = TABLE[transition]
    guards = sorted(rule.guards)
    return and_(_ROW.status == rule.source, *(_guard(each, circumstance) for each in guards))


def _changes(transition: Transition, circumstance: Circumstance) -> dict[str, Sql]:
    rule = TABLE[transition]
    changes: dict[str, Sql] = {}
    for effect in sorted(rule.effects):
        changes |= _effect(effect, circumstance)
    if rule.target is not rule.source:
        changes["status"] = literal(rule.target.value, Text)
    changes["updated_at"] = _touch(transition)
    return changes


def _touch(transition: Transition) -> Sql:
    forward = func.greatest(_NOW, _ROW.updated_at + literal(TICK, Interval))
    if transition is not Transition.HEARTBEAT:
        return forward
    unchanged = and_(
        _ROW.progress_done.is_not_distinct_from(_DONE),
        _ROW.progress_total.is_not_distinct_from(_TOTAL),
        _ROW.progress_note.is_not_distinct_from(_NOTE),
    )
    return case((unchanged, _ROW.updated_at), else_=forward)


def _guard(guard: Guard, circumstance: Circumstance) -> Sql:  # noqa: PLR0911  # a line a guard
    limit = bindparam("stall_limit", type_=Integer)
    mine = _ROW.attempt == bindparam("my_attempt", type_=Integer)
    stalled = mine if circumstance.run_died else _ROW.lease_until < _NOW
    match guard:
        case Guard.MY_ATTEMPT:
            return mine
        case Guard.STALLED:
            return stalled
        case Guard.LET_GO:
            return stalled if circumstance.stalled else mine
        case Guard.CANCEL_REQUESTED:
            return _ROW.cancel_requested_at.is_not(None)
        case Guard.NO_CANCEL_REQUEST:
            return _ROW.cancel_requested_at.is_(None)
        case Guard.STALLS_BELOW_LIMIT:
            return limit > _STALLS + 1
        case Guard.STALLS_AT_LIMIT:
            return limit <= _STALLS + 1
        case Guard.QUEUED_TWIN:
            return _twin_exists()
        case Guard.NO_QUEUED_TWIN:
            return ~_twin_exists()
        case _:
            assert_never(guard)


def _twin_exists() -> Exists:
    return _twin().exists()


def _twin() -> Select[UUID]:
    twin = WORK_ITEMS.alias("twin")
    queued = TABLE[Transition.ENQUEUE].target
    return (
        select(twin.c.id)
        .where(twin.c.dedup_key == _ROW.dedup_key, twin.c.status == queued.value)
        .where(twin.c.id != _ROW.id)
        .correlate(WORK_ITEMS)
        .limit(1)
    )


def _effect(effect: Effect, circumstance: Circumstance) -> dict[str, Sql]:  # noqa: C901, PLR0911, PLR0912
    match effect:
        case Effect.COUNT_ATTEMPT:
            return {"attempt": _ROW.attempt + 1}
        case Effect.TAKE:
            return {"claimed_by": bindparam("worker", type_=Text), "started_at": _NOW}
        case Effect.LEASE:
            return {"lease_until": _NOW + bindparam("lease", type_=Interval)}
        case Effect.RESET_PROGRESS:
            return {
                "progress_done": null(),
                "progress_total": null(),
                "progress_note": null(),
            }
        case Effect.REPORT_PROGRESS:
            return {"progress_done": _DONE, "progress_total": _TOTAL, "progress_note": _NOTE}
        case Effect.STORE_RESULT | Effect.STORE_PARTIAL:
            return {"result": _RESULT}
        case Effect.STORE_ERROR:
            return {"error": bindparam("error", type_=Text)}
        case Effect.NAME_STALLS:
            return {"error": _stalled_error()}
        case Effect.NAME_TWIN:
            twin = cast(_twin().scalar_subquery(), Text)
            return {"error": func.replace(SUPERSEDED_ERROR, "{twin}", twin)}
        case Effect.COUNT_STALL:
            return {"stalls": _STALLS + 1}
        case Effect.COUNT_STALL_IF_STALLED:
            return {"stalls": _STALLS + int(circumstance.stalled)}
        case Effect.DROP_LEASE:
            return {"lease_until": null()}
        case Effect.GIVE_BACK:
            return {"claimed_by": null(), "started_at": null()}
        case Effect.FINISH:
            return {"finished_at": _NOW}
        case Effect.NOTE_CANCEL_REQUEST:
            return {"cancel_requested_at": _NOW}
        case _:
            assert_never(effect)


def _stalled_error() -> Sql:
    counted = func.replace(STALLED_ERROR, "{stalls}", cast(_STALLS + 1, Text))
    return func.replace(counted, "{worker}", func.coalesce(_ROW.claimed_by, "None"))
