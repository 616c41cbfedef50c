"""The newest run of each dedup key, from the index on (dedup_key, finished_at)."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ARRAY, Engine, Row, Text, func, literal, select, true
from sqlalchemy.sql.selectable import LateralFromClause, TableValuedAlias
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.tables import WORK_ITEMS
from application.ports.periodic_runs import (
    CurrentRun,
    FinishedRun,
    PeriodicHistory,
    PeriodicRuns,
    Runs,
)
from domain.work.status import WorkStatus

_ROW = WORK_ITEMS.c


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresPeriodicRuns(PeriodicRuns):
    engine: Engine

    @override
    def of(self, keys: Sequence[str]) -> PeriodicHistory:
        slot = func.unnest(literal(list(keys), ARRAY(Text))).table_valued("key")
        slot = slot.render_derived("slot")
        last, current = _last(slot), _current(slot)
        query = select(
            slot.c.key,
            *(last.c.id.label("last_id"), last.c.status.label("last_status"), last.c.finished_at),
            *(current.c.id.label("current_id"), current.c.status.label("current_status")),
        ).select_from(slot.outerjoin(last, true()).outerjoin(current, true()))
        with single_statement(self.engine) as connection:
            runs = {row.key: _runs(row) for row in connection.execute(query)}
            now = connection.execute(select(func.clock_timestamp())).scalar_one()
        return PeriodicHistory(runs=runs, server_time=now)


def _last(slot: TableValuedAlias) -> LateralFromClause:
    return (
        select(_ROW.id, _ROW.status, _ROW.finished_at)
        .where(_ROW.dedup_key == slot.c.key, _ROW.finished_at.is_not(None))
        .order_by(_ROW.finished_at.desc())
        .limit(1)
        .lateral("last")
    )


def _current(slot: TableValuedAlias) -> LateralFromClause:
    return (
        select(_ROW.id, _ROW.status)
        .where(_ROW.dedup_key == slot.c.key, _ROW.finished_at.is_(None))
        .order_by(_ROW.status.desc())  # Running before Queued
        .limit(1)
        .lateral("current")
    )


def _runs(row: Row[*tuple[object, ...]]) -> Runs:
    found = row._mapping  # noqa: SLF001  # the public way to read a row by name
    return Runs(
        last=FinishedRun(
            item_id=found["last_id"],
            status=WorkStatus(found["last_status"]),
            finished_at=found["finished_at"],
        )
        if found["last_id"]
        else None,
        current=CurrentRun(item_id=found["current_id"], status=WorkStatus(found["current_status"]))
        if found["current_id"]
        else None,
    )
