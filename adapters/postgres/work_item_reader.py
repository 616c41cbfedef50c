"""Reads items for whoever shows them; each method is one statement and so one snapshot."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Engine, Subquery, func, select, true
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.list_conditions import conditions
from adapters.postgres.listed_columns import LISTED
from adapters.postgres.listed_ids import listed_ids
from adapters.postgres.row_mapping import to_listed_item, to_work_item
from adapters.postgres.tables import WORK_ITEM_REMOVALS, WORK_ITEMS
from application.ports.work_item_reader import (
    ListFilter,
    WorkItemDetail,
    WorkItemPage,
    WorkItemReader,
)

_ROW = WORK_ITEMS.c


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresWorkItemReader(WorkItemReader):
    engine: Engine

    @override
    def page(self, which: ListFilter, *, offset: int, limit: int, count_up_to: int) -> WorkItemPage:
        facts = _facts(which, count_up_to)
        rows = _rows(which, offset, limit)
        statement = (
            select(facts, rows)
            .select_from(facts.outerjoin(rows, true()))
            .order_by(rows.c.requested_at.desc(), rows.c.id.desc())
        )
        with single_statement(self.engine) as connection:
            found = connection.execute(statement).mappings().all()
        return WorkItemPage(
            items=[to_listed_item(row) for row in found if row["id"] is not None],
            total=min(found[0]["total"], count_up_to),
            total_is_capped=found[0]["total"] > count_up_to,
            cursor=found[0]["cursor"],
            server_time=found[0]["server_time"],
        )

    @override
    def get(self, item_id: UUID) -> WorkItemDetail | None:
        statement = select(WORK_ITEMS, func.clock_timestamp().label("server_time")).where(
            _ROW.id == item_id
        )
        with single_statement(self.engine) as connection:
            row = connection.execute(statement).mappings().first()
        if row is None:
            return None
        return WorkItemDetail(item=to_work_item(row), server_time=row["server_time"])


def _facts(which: ListFilter, count_up_to: int) -> Subquery:
    """One row: the count up to one more than the cap, the cursor, and the time."""
    counted = select(_ROW.id).where(*conditions(which)).limit(count_up_to + 1).subquery()
    newest_change = select(func.max(_ROW.updated_at)).scalar_subquery()
    newest_removal = select(func.max(WORK_ITEM_REMOVALS.c.removed_at)).scalar_subquery()
    return select(
        select(func.count()).select_from(counted).scalar_subquery().label("total"),
        func.coalesce(func.greatest(newest_change, newest_removal), func.clock_timestamp()).label(
            "cursor"
        ),
        func.clock_timestamp().label("server_time"),
    ).subquery("facts")


def _rows(which: ListFilter, offset: int, limit: int) -> Subquery:
    """The ids by the index first, the rows after: deep pages don't fetch what they skip."""
    ids = listed_ids(which, offset, limit)
    return select(*LISTED).where(_ROW.id.in_(ids)).subquery("listed")
