"""Reads items for whoever shows them; each method sees one snapshot."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Engine, Select, Subquery, func, literal, null, select, true
from typing_extensions import override

from adapters.postgres.connections import one_snapshot, single_statement
from adapters.postgres.list_stretches import Stretch, stretches
from adapters.postgres.listed_columns import LISTED
from adapters.postgres.listed_ids import counted, listed_ids
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
        with one_snapshot(self.engine) as connection:
            wanted = stretches(connection, which)
            statement = page_statement(wanted, offset=offset, limit=limit, count_up_to=count_up_to)
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


def page_statement(
    wanted: Sequence[Stretch], *, offset: int, limit: int, count_up_to: int
) -> Select[object]:
    """One row with the facts for each item; where there is no item, one with the facts alone."""
    facts = _facts(wanted, count_up_to)
    if not wanted:
        return select(facts, null().label("id"))
    rows = _rows(wanted, offset, limit)
    return (
        select(facts, rows)
        .select_from(facts.outerjoin(rows, true()))
        .order_by(rows.c.requested_at.desc(), rows.c.id.desc())
    )


def _facts(wanted: Sequence[Stretch], count_up_to: int) -> Subquery:
    """One row: the count up to one more than the cap, the cursor, and the time."""
    newest_change = select(func.max(_ROW.updated_at)).scalar_subquery()
    newest_removal = select(func.max(WORK_ITEM_REMOVALS.c.removed_at)).scalar_subquery()
    total = counted(wanted, count_up_to + 1) if wanted else literal(0)
    return select(
        total.label("total"),
        func.coalesce(func.greatest(newest_change, newest_removal), func.clock_timestamp()).label(
            "cursor"
        ),
        func.clock_timestamp().label("server_time"),
    ).subquery("facts")


def _rows(wanted: Sequence[Stretch], offset: int, limit: int) -> Subquery:
    """The ids by the index first, the rows after: deep pages don't fetch what they skip."""
    ids = listed_ids(wanted, offset, limit)
    return select(*LISTED).where(_ROW.id.in_(ids)).subquery("listed")
