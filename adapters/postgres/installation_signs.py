"""Reads what the server knows of its own time and of its clients."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, func, select, text
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.tables import WORK_ITEMS
from application.ports.installation_signs import InstallationSigns, WorkerSigns
from domain.work.transitions import Transition, sources_of

WORKERS_NAME = "anichron-worker"
"""As Workers name their sessions; a pooler in between passes it on."""
_ROW = WORK_ITEMS.c
_SESSIONS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = :name"
)
_IS_ALIVE = _ROW.lease_until >= func.clock_timestamp()
_LEASES = select(
    func.count().filter(_IS_ALIVE).label("live"), func.count().filter(~_IS_ALIVE).label("lapsed")
).where(_ROW.status.in_(sorted(sources_of(Transition.HEARTBEAT))))


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresInstallationSigns(InstallationSigns):
    engine: Engine

    @override
    def time(self) -> datetime:
        with single_statement(self.engine) as connection:
            now: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
            return now

    @override
    def workers(self) -> WorkerSigns:
        with single_statement(self.engine) as connection:
            sessions: int = connection.execute(_SESSIONS, {"name": WORKERS_NAME}).scalar_one()
            live, lapsed = connection.execute(_LEASES).one()
        return WorkerSigns(sessions=sessions, live_leases=live, lapsed_leases=lapsed)
