"""What becomes of a released or stalled item, decided by the statement that writes it.

The order of locks is the same everywhere: the dedup key (so that no twin can be half-inserted),
the storage config (so that a cascading delete cannot deadlock with us), then the item. Each item
has a transaction of its own: one that can't be settled holds no other back.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Connection, Engine, Update, bindparam, select, update

from adapters.postgres.connections import (
    DEADLOCK_DETECTED,
    UNIQUE_VIOLATION,
    again_on,
    one_transaction,
)
from adapters.postgres.dedup_lock import try_key, wait_for_key
from adapters.postgres.tables import STORAGE_CONFIGS, WORK_ITEMS
from adapters.postgres.transition_sql import Circumstance, allowed, assignments
from application.ports.work_item_execution import Answer, Refused, Settled
from domain.work.attempt import AttemptTag
from domain.work.status import FINISHED, WorkStatus
from domain.work.transitions import AFTER_RELEASE, AFTER_STALL, Transition, sources_of

_ROW = WORK_ITEMS.c
_UNSETTLED = sorted(sources_of(*AFTER_RELEASE, *AFTER_STALL))


def _statement(transitions: tuple[Transition, ...], circumstance: Circumstance) -> Update:
    return (
        update(WORK_ITEMS)
        .where(_ROW.id == bindparam("item_id"), allowed(*transitions, circumstance=circumstance))
        .values(assignments(*transitions, circumstance=circumstance))
    )


_RELEASE = _statement(AFTER_RELEASE, Circumstance())
_RECOVER = _statement(AFTER_STALL, Circumstance(stalled=True))
_RECOVER_DEAD = _statement(AFTER_STALL, Circumstance(stalled=True, run_died=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settlement:
    """One item to settle: with what, and whether to wait for locks."""

    item_id: UUID
    statement: Update
    parameters: Mapping[str, object]
    attempt: int | None = None
    waits: bool = True


def settle_released(
    engine: Engine, tag: AttemptTag, partial: Mapping[str, object] | None
) -> Answer:
    result = None if partial is None else dict(partial)
    return _settle(
        engine,
        _Settlement(
            item_id=tag.item_id,
            statement=_RELEASE,
            parameters={"my_attempt": tag.attempt, "result": result},
            attempt=tag.attempt,
        ),
    )


def settle_stalled(engine: Engine, item_id: UUID, stall_limit: int) -> Answer:
    return _settle(
        engine,
        _Settlement(
            item_id=item_id,
            statement=_RECOVER,
            parameters={"stall_limit": stall_limit, "result": None},
            waits=False,
        ),
    )


def settle_dead(engine: Engine, tag: AttemptTag, stall_limit: int) -> Answer:
    return _settle(
        engine,
        _Settlement(
            item_id=tag.item_id,
            statement=_RECOVER_DEAD,
            parameters={"my_attempt": tag.attempt, "stall_limit": stall_limit, "result": None},
            attempt=tag.attempt,
        ),
    )


def _settle(engine: Engine, settlement: _Settlement) -> Answer:
    return again_on((UNIQUE_VIOLATION, DEADLOCK_DETECTED), lambda: _settle_once(engine, settlement))


def _settle_once(engine: Engine, settlement: _Settlement) -> Answer:
    with one_transaction(engine) as connection:
        found = connection.execute(
            select(_ROW.dedup_key, _ROW.storage_config_id).where(_ROW.id == settlement.item_id)
        ).first()
        if found is None:
            return Refused.UNKNOWN
        if found.dedup_key and not _hold_key(connection, found.dedup_key, settlement):
            return Refused.NOT_NOW
        if not _hold_rows(connection, found.storage_config_id, settlement):
            return _as_it_is(connection, settlement)
        parameters = {"item_id": settlement.item_id, **settlement.parameters}
        row = connection.execute(settlement.statement.returning(_ROW.status), parameters).first()
        if row is not None:
            return Settled(status=WorkStatus(row.status))
        return _as_it_is(connection, settlement)


def _hold_key(connection: Connection, key: str, settlement: _Settlement) -> bool:
    if not settlement.waits:
        return try_key(connection, key)
    wait_for_key(connection, key)
    return True


def _hold_rows(connection: Connection, config_id: UUID | None, settlement: _Settlement) -> bool:
    """Hold the config against its deletion, then the item; whoever does not wait skips.

    An item that was settled before is not held: claims would pass it by, and take a younger one.
    """
    passing = not settlement.waits
    if config_id is not None:
        config = select(STORAGE_CONFIGS.c.id).where(STORAGE_CONFIGS.c.id == config_id)
        held = config.with_for_update(read=True, key_share=True, skip_locked=passing)
        if connection.execute(held).first() is None and passing:
            return False
    item = select(_ROW.id).where(_ROW.id == settlement.item_id, _ROW.status.in_(_UNSETTLED))
    locked = connection.execute(item.with_for_update(skip_locked=passing)).first()
    return locked is not None or not passing


def _as_it_is(connection: Connection, settlement: _Settlement) -> Answer:
    """Nothing was written: the item was settled before, or somebody else has it."""
    row = connection.execute(
        select(_ROW.status, _ROW.attempt).where(_ROW.id == settlement.item_id)
    ).first()
    if row is None:
        return Refused.UNKNOWN
    if settlement.attempt is None:
        return Refused.FINISHED if row.status in FINISHED else Refused.NOT_NOW
    if row.attempt == settlement.attempt and row.status != WorkStatus.RUNNING:
        return Settled(status=WorkStatus(row.status))
    return Refused.FINISHED if row.status in FINISHED else Refused.FENCED_OFF
