"""The API's one UPDATE of work_items."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Connection, Engine, select, update
from typing_extensions import override

from adapters.postgres.connections import MOST_TRIES, single_statement
from adapters.postgres.row_mapping import to_work_item
from adapters.postgres.tables import WORK_ITEMS
from adapters.postgres.transition_sql import allowed, assignments
from application.ports.work_item_canceller import (
    AlreadyFinished,
    CancelAnswer,
    CancelledAtOnce,
    CancelRequested,
    WorkItemCanceller,
)
from domain.errors import DatabaseUnavailable
from domain.work.item import WorkItem
from domain.work.transitions import ON_CANCEL

_CANCEL = update(WORK_ITEMS).where(allowed(*ON_CANCEL)).values(assignments(*ON_CANCEL))


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresWorkItemCanceller(WorkItemCanceller):
    engine: Engine

    @override
    def cancel(self, item_id: UUID) -> CancelAnswer | None:
        with single_statement(self.engine) as connection:
            for _ in range(MOST_TRIES):
                if changed := _cancel(connection, item_id):
                    return (
                        CancelledAtOnce(changed)
                        if changed.is_finished()
                        else CancelRequested(changed)
                    )
                # A second statement: an answer from the update's own snapshot would lie.
                row = connection.execute(select(WORK_ITEMS).where(WORK_ITEMS.c.id == item_id))
                if (found := row.mappings().first()) is None:
                    return None
                item = to_work_item(found)
                if item.is_finished():
                    return AlreadyFinished(item)
                if item.cancel_requested_at is not None:
                    return CancelRequested(item)
        raise DatabaseUnavailable("the item changed at every look; try again")


def _cancel(connection: Connection, item_id: UUID) -> WorkItem | None:
    statement = _CANCEL.where(WORK_ITEMS.c.id == item_id).returning(WORK_ITEMS)
    row = connection.execute(statement).mappings().first()
    return to_work_item(row) if row else None
