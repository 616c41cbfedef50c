"""Deletes finished items in batches by keyset, so that later batches are as quick as the first."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import (
    Connection,
    Engine,
    Interval,
    bindparam,
    delete,
    func,
    select,
    tuple_,
)
from typing_extensions import override

from adapters.postgres.claim_proof import prove_claim
from adapters.postgres.connections import one_transaction
from adapters.postgres.tables import RESULT_TABLES, WORK_ITEM_REMOVALS, WORK_ITEMS, WORKERS
from application.ports.work_item_purger import Purged, PurgePosition, WorkItemPurger
from domain.work.attempt import AttemptTag

_ROW = WORK_ITEMS.c
_GONE = WORK_ITEM_REMOVALS.c
_LIMIT_OF_AGE = func.clock_timestamp() - bindparam("older_than", type_=Interval)
_OLD = (
    select(_ROW.id, _ROW.finished_at)
    .where(_ROW.finished_at < _LIMIT_OF_AGE)
    .order_by(_ROW.finished_at, _ROW.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_OLD_NOTES = (
    select(_GONE.id)
    .where(_GONE.removed_at < _LIMIT_OF_AGE)
    .order_by(_GONE.removed_at, _GONE.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)


_GONE_WORKERS = delete(WORKERS).where(WORKERS.c.seen_at < _LIMIT_OF_AGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresWorkItemPurger(WorkItemPurger):
    engine: Engine

    @override
    def purge(
        self, tag: AttemptTag, *, older_than: timedelta, after: PurgePosition | None, most: int
    ) -> Purged:
        age = {"older_than": older_than, "most": most}
        old = _OLD
        if after is not None:
            position = tuple_(after.finished_at, after.item_id)
            old = old.where(tuple_(_ROW.finished_at, _ROW.id) > position)
        with one_transaction(self.engine) as connection:
            prove_claim(connection, tag)
            batch = connection.execute(old, age).all()
            notes = connection.execute(
                delete(WORK_ITEM_REMOVALS).where(_GONE.id.in_(_OLD_NOTES)), age
            ).rowcount
            notes += connection.execute(_GONE_WORKERS, {"older_than": older_than}).rowcount
            rows = _delete(connection, [row.id for row in batch])
        last = batch[-1] if len(batch) == most else None
        return Purged(
            items=len(batch),
            rows=rows + notes,
            position=last and PurgePosition(finished_at=last.finished_at, item_id=last.id),
        )


def _delete(connection: Connection, ids: list[object]) -> int:
    """Delete the items; how many result rows went with them."""
    if not ids:
        return 0
    rows = sum(
        connection.execute(delete(table).where(table.c.work_item_id.in_(ids))).rowcount
        for table in RESULT_TABLES
    )
    connection.execute(delete(WORK_ITEMS).where(_ROW.id.in_(ids)))
    return rows
