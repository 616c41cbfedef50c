"""Deletes a storage config in steps, each short.

A large library is not gone within the limit on transactions that write the queue, and a live view
would miss an item whose removal commits later than it looks back. So the config's unfinished items
go first, which also fences off a run in progress; then all that hangs on it, in batches; then it.
Interrupted, it leaves an inactive config, and can be done again.
"""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from sqlalchemy import (
    ColumnClause,
    Connection,
    Engine,
    TableClause,
    any_,
    column,
    delete,
    func,
    literal_column,
    select,
    table,
    text,
    update,
)

from adapters.postgres.connections import DEADLOCK_DETECTED, again_on, one_transaction
from adapters.postgres.tables import STORAGE_CONFIGS, WORK_ITEMS

BATCH = 2_000
# Read from the catalogue, so that a table that is added later is emptied in batches too. Those that
# refer to most tables come first: what refers to an asset is gone before the asset.
CHILDREN = text("""
    SELECT c.relname AS name, a.attname AS reference
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
    WHERE k.confrelid = 'storage_configs'::regclass AND k.contype = 'f' AND k.confdeltype = 'c'
    ORDER BY (
        SELECT count(*) FROM pg_constraint o WHERE o.conrelid = k.conrelid AND o.contype = 'f'
    ) DESC, c.relname
""")
_ROW_ADDRESS: ColumnClause[object] = literal_column("ctid")


def remove_config(engine: Engine, config_id: UUID) -> bool:
    """Whether there was such a config; it is gone."""
    if not again_on((DEADLOCK_DETECTED,), lambda: _close(engine, config_id)):
        return False
    for child, reference in _children(engine):
        empty = partial(_empty, engine, child, reference, config_id)
        while again_on((DEADLOCK_DETECTED,), empty):
            pass
    again_on((DEADLOCK_DETECTED,), lambda: _delete(engine, config_id))
    return True


def _close(engine: Engine, config_id: UUID) -> bool:
    """Nothing new begins in the config, and what was begun ends."""
    with one_transaction(engine) as connection:
        if not _held(connection, config_id):
            return False
        this = STORAGE_CONFIGS.c.id == config_id
        connection.execute(update(STORAGE_CONFIGS).where(this).values(is_active=False))
        unfinished = WORK_ITEMS.c.finished_at.is_(None)
        connection.execute(
            delete(WORK_ITEMS).where(WORK_ITEMS.c.storage_config_id == config_id, unfinished)
        )
        return True


def _held(connection: Connection, config_id: UUID) -> bool:
    """Lock the config before its items, as recovery does, so that neither waits for the other."""
    row = select(STORAGE_CONFIGS.c.id).where(STORAGE_CONFIGS.c.id == config_id)
    return connection.execute(row.with_for_update()).first() is not None


def _children(engine: Engine) -> Sequence[tuple[TableClause, ColumnClause[UUID]]]:
    with one_transaction(engine) as connection:
        return [(table(row.name), column(row.reference)) for row in connection.execute(CHILDREN)]


def _empty(
    engine: Engine, child: TableClause, reference: ColumnClause[UUID], config_id: UUID
) -> bool:
    """Delete one batch; whether there may be more."""
    some = select(_ROW_ADDRESS).select_from(child).where(reference == config_id).limit(BATCH)
    with one_transaction(engine) as connection:
        gone = connection.execute(
            delete(child).where(any_(func.array(some.scalar_subquery())) == _ROW_ADDRESS)
        )
        return gone.rowcount == BATCH


def _delete(engine: Engine, config_id: UUID) -> None:
    with one_transaction(engine) as connection:
        connection.execute(delete(STORAGE_CONFIGS).where(STORAGE_CONFIGS.c.id == config_id))
