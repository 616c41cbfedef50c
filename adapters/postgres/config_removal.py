"""Deletes a storage config in steps, each short.

A large library is not gone within the limit on transactions that write the queue, and a live view
would miss an item whose removal commits later than it looks back. So the config's unfinished items
go first, which also fences off a run in progress; then all that hangs on it, in batches; then it.
Interrupted, it leaves an inactive config, and can be done again.

The steps are functions in the database: the API's role may remove a config, and can delete nothing
else of the queue or of the library.
"""

from uuid import UUID

from sqlalchemy import Engine, delete, func, select

from adapters.postgres.connections import DEADLOCK_DETECTED, again_on, one_transaction
from adapters.postgres.tables import STORAGE_CONFIGS

BATCH = 2_000


def remove_config(engine: Engine, config_id: UUID) -> bool:
    """Whether there was such a config; it is gone."""
    if not again_on((DEADLOCK_DETECTED,), lambda: _close(engine, config_id)):
        return False
    while again_on((DEADLOCK_DETECTED,), lambda: _empty(engine, config_id)):
        pass
    again_on((DEADLOCK_DETECTED,), lambda: _delete(engine, config_id))
    return True


def _close(engine: Engine, config_id: UUID) -> bool:
    """Nothing new begins in the config, and what was begun ends. False where there is none."""
    with one_transaction(engine) as connection:
        return bool(connection.scalar(select(func.close_storage_config(config_id))))


def _empty(engine: Engine, config_id: UUID) -> bool:
    """Delete one batch; whether there was anything to delete."""
    with one_transaction(engine) as connection:
        return bool(connection.scalar(select(func.empty_storage_config(config_id, BATCH))))


def _delete(engine: Engine, config_id: UUID) -> None:
    with one_transaction(engine) as connection:
        connection.execute(delete(STORAGE_CONFIGS).where(STORAGE_CONFIGS.c.id == config_id))
