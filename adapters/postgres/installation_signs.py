"""Reads what the server knows of its own time and of items that nobody recovers."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, func, select
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.tables import WORK_ITEMS
from application.ports.installation_signs import InstallationSigns
from domain.work.transitions import Transition, sources_of

_ROW = WORK_ITEMS.c
_LAPSED = select(func.count()).where(
    _ROW.status.in_(sorted(sources_of(Transition.HEARTBEAT))),
    _ROW.lease_until < func.clock_timestamp(),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresInstallationSigns(InstallationSigns):
    engine: Engine

    @override
    def time(self) -> datetime:
        with single_statement(self.engine) as connection:
            now: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
            return now

    @override
    def lapsed_leases(self) -> int:
        with single_statement(self.engine) as connection:
            lapsed: int = connection.execute(_LAPSED).scalar_one()
            return lapsed
