"""One row a Worker process, written at each of its polls."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import CTE, Engine, and_, delete, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.tables import WORKERS
from application.ports.worker_register import WorkerIdentity, WorkerRegister

_WORKER = WORKERS.c
_SILENCE = timedelta(minutes=1)
_LONG_AGO = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresWorkerRegister(WorkerRegister):
    engine: Engine

    @override
    def announce(self, who: WorkerIdentity, item_id: UUID | None) -> None:
        row = insert(WORKERS).values(
            id=who.id,
            name=who.name,
            user_id=who.user_id,
            host=who.host,
            version=who.version,
            item_id=item_id,
        )
        upsert = row.on_conflict_do_update(
            index_elements=[_WORKER.id],
            set_={"item_id": row.excluded.item_id, "seen_at": func.clock_timestamp()},
        )
        with single_statement(self.engine) as connection:
            connection.execute(upsert.add_cte(_forgotten(who)))

    @override
    def sign_off(self, who: WorkerIdentity) -> None:
        now = func.now()  # the same twice
        stopped = update(WORKERS).where(_WORKER.id == who.id)
        with single_statement(self.engine) as connection:
            connection.execute(stopped.values(item_id=None, seen_at=now, stopped_at=now))


def _forgotten(who: WorkerIdentity) -> CTE:
    """Its predecessors that stopped or died, and whoever stopped long ago: containers have a new
    name each time.

    Two that slept through the same suspend are both silent, and neither was there first.
    """
    now = func.clock_timestamp()
    me = WORKERS.alias("me")
    my_start = select(me.c.started_at).where(me.c.id == who.id).scalar_subquery()
    return (
        delete(WORKERS)
        .where(
            _WORKER.id != who.id,
            or_(
                _WORKER.stopped_at < now - literal(_LONG_AGO),
                and_(_WORKER.name == who.name, _WORKER.stopped_at.is_not(None)),
                and_(
                    _WORKER.name == who.name,
                    _WORKER.seen_at < now - literal(_SILENCE),
                    _WORKER.seen_at < func.coalesce(my_start, now),
                ),
            ),
        )
        .cte("forgotten")
    )
