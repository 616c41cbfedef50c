"""Counts items by kind and status from indexes alone, and never the whole table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Engine, Row, func, select, text
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.list_conditions import conditions
from adapters.postgres.tables import WORK_ITEMS
from application.ports.work_item_counts import KindCount, WorkItemCounter, WorkItemCounts
from application.ports.work_item_reader import ListFilter
from domain.work.status import WorkStatus

_ROW = WORK_ITEMS.c
_NOW = select(func.clock_timestamp())

# The kinds that occur are found by skipping from one to the next in the index on (kind, status, …),
# which then gives each count without a look at the table. It is asked for in the index's order:
# without, a rare pair would be looked for in the whole table.
BY_KIND = text("""
WITH RECURSIVE kinds (kind) AS (
    SELECT min(kind) FROM work_items
    UNION ALL
    SELECT (SELECT min(kind) FROM work_items WHERE kind > kinds.kind)
    FROM kinds WHERE kinds.kind IS NOT NULL
)
SELECT kinds.kind, statuses.status, counted.count
FROM kinds
CROSS JOIN unnest(CAST(:statuses AS text[])) AS statuses (status)
CROSS JOIN LATERAL (
    SELECT count(*) FROM (
        SELECT FROM work_items item
        WHERE item.kind = kinds.kind AND item.status = statuses.status
        ORDER BY item.requested_at DESC, item.id DESC LIMIT :most
    ) AS few
) AS counted
WHERE counted.count > 0
  AND (CAST(:kinds AS text[]) IS NULL OR kinds.kind = ANY(CAST(:kinds AS text[])))
ORDER BY kinds.kind, statuses.status
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresWorkItemCounter(WorkItemCounter):
    engine: Engine

    @override
    def count(self, which: ListFilter, *, up_to: int, scoped_up_to: int) -> WorkItemCounts:
        with single_statement(self.engine) as connection:
            now: datetime = connection.execute(_NOW).scalar_one()
            counts = (
                _count_scopes(connection, which, scoped_up_to)
                if which.scopes
                else _count_kinds(connection, which, up_to)
            )
        return WorkItemCounts(counts=counts, server_time=now)


def _count_kinds(connection: Connection, which: ListFilter, up_to: int) -> list[KindCount]:
    given = {
        "statuses": [status.value for status in which.statuses or WorkStatus],
        "kinds": [str(kind) for kind in which.kinds] or None,
        "most": up_to + 1,
    }
    return _counts(connection.execute(BY_KIND, given).all(), up_to, is_capped=False)


def _count_scopes(connection: Connection, which: ListFilter, most: int) -> list[KindCount]:
    seen = select(_ROW.kind, _ROW.status).where(*conditions(which)).limit(most + 1).subquery()
    query = (
        select(seen.c.kind, seen.c.status, func.count().label("count"))
        .group_by(seen.c.kind, seen.c.status)
        .order_by(seen.c.kind, seen.c.status)
    )
    rows = connection.execute(query).all()
    return _counts(rows, most, is_capped=sum(count for _, _, count in rows) > most)


def _counts(rows: Sequence[Row[str, str, int]], up_to: int, *, is_capped: bool) -> list[KindCount]:
    return [
        KindCount(
            kind=kind,
            status=WorkStatus(status),
            count=min(count, up_to),
            is_capped=is_capped or count > up_to,
        )
        for kind, status, count in rows
    ]
