"""The Workers as they last announced themselves."""

from dataclasses import dataclass

from sqlalchemy import Engine, func, select
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.tables import WORKERS
from application.ports.worker_directory import SeenWorker, WorkerDirectory, WorkersSeen
from application.ports.worker_register import WorkerIdentity


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresWorkerDirectory(WorkerDirectory):
    engine: Engine

    @override
    def seen(self, most: int) -> WorkersSeen:
        newest = select(WORKERS).order_by(WORKERS.c.seen_at.desc(), WORKERS.c.id).limit(most)
        with single_statement(self.engine) as connection:
            workers = [
                SeenWorker(
                    identity=WorkerIdentity(
                        id=row.id,
                        name=row.name,
                        user_id=row.user_id,
                        host=row.host,
                        version=row.version,
                    ),
                    started_at=row.started_at,
                    seen_at=row.seen_at,
                    item_id=row.item_id,
                    stopped_at=row.stopped_at,
                )
                for row in connection.execute(newest)
            ]
            now = connection.execute(select(func.clock_timestamp())).scalar_one()
        return WorkersSeen(workers=workers, server_time=now)
