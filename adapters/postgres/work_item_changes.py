"""What a live view follows, read from the index on (updated_at, id)."""

from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from uuid import UUID

from sqlalchemy import Connection, Engine, Select, func, select
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.listed_columns import LISTED
from adapters.postgres.row_mapping import to_listed_item
from adapters.postgres.tables import WORK_ITEM_REMOVALS, WORK_ITEMS
from application.ports.work_item_changes import Change, ChangeBatch, WorkItemChanges
from domain.work.status import WorkStatus

_ROW = WORK_ITEMS.c
_GONE = WORK_ITEM_REMOVALS.c
_NEWEST = select(*LISTED).order_by(_ROW.updated_at.desc(), _ROW.id.desc())
_NEWEST_GONE = select(_GONE.id, _GONE.removed_at).order_by(_GONE.removed_at.desc(), _GONE.id.desc())
_LEASES = select(_ROW.id, _ROW.lease_until).where(_ROW.status == WorkStatus.RUNNING.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresWorkItemChanges(WorkItemChanges):
    engine: Engine

    @override
    def newest(self, most: int) -> ChangeBatch:
        return self._read(_NEWEST, _NEWEST_GONE, most)

    @override
    def since(self, instant: datetime, most: int) -> ChangeBatch:
        items = _NEWEST.where(_ROW.updated_at > instant)
        return self._read(items, _NEWEST_GONE.where(_GONE.removed_at > instant), most)

    def _read(
        self,
        items: Select[*tuple[object, ...]],
        gone: Select[UUID, datetime],
        most: int,
    ) -> ChangeBatch:
        with single_statement(self.engine) as connection:
            # The time first: the next look reads on from it, less its look-back.
            server_time = connection.execute(select(func.clock_timestamp())).scalar_one()
            changes = _changes(connection, items.limit(most + 1), gone.limit(most + 1))
            leases = {row.id: row.lease_until for row in connection.execute(_LEASES)}
        return ChangeBatch(
            changes=changes[-most:],
            is_complete=len(changes) <= most,
            leases=leases,
            server_time=server_time,
        )


def _changes(
    connection: Connection, items: Select[*tuple[object, ...]], gone: Select[UUID, datetime]
) -> list[Change]:
    changed = (
        Change(item_id=row["id"], changed_at=row["updated_at"], item=to_listed_item(row))
        for row in connection.execute(items).mappings()
    )
    removed = (
        Change(item_id=row.id, changed_at=row.removed_at, item=None)
        for row in connection.execute(gone)
    )
    return sorted(chain(changed, removed), key=lambda each: (each.changed_at, each.item_id))
