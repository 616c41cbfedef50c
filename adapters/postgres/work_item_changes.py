"""What a live view follows, read from the index on (updated_at, id)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import TypeAlias
from uuid import UUID

from sqlalchemy import BindParameter, Connection, Engine, Integer, Select, bindparam, func, select
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.listed_columns import LISTED
from adapters.postgres.row_mapping import to_listed_item
from adapters.postgres.tables import WORK_ITEM_REMOVALS, WORK_ITEMS
from application.ports.work_item_changes import Change, ChangeBatch, WorkItemChanges
from domain.work.status import WorkStatus

_Look: TypeAlias = tuple[Select[*tuple[object, ...]], Select[UUID, datetime]]
"""The items that changed, and those that are gone, newest first."""
_ROW = WORK_ITEMS.c
_GONE = WORK_ITEM_REMOVALS.c
_MOST = bindparam("most", type_=Integer)
_SINCE: BindParameter[datetime] = bindparam("since")
# Made once: a statement that is built anew at each look costs a tenth of the look.
_NEWEST = (
    select(*LISTED).order_by(_ROW.updated_at.desc(), _ROW.id.desc()).limit(_MOST),
    select(_GONE.id, _GONE.removed_at)
    .order_by(_GONE.removed_at.desc(), _GONE.id.desc())
    .limit(_MOST),
)
_SINCE_THEN = (
    _NEWEST[0].where(_ROW.updated_at > _SINCE),
    _NEWEST[1].where(_GONE.removed_at > _SINCE),
)
_NOW = select(func.clock_timestamp())
_LEASES = select(_ROW.id, _ROW.lease_until).where(_ROW.status == WorkStatus.RUNNING.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresWorkItemChanges(WorkItemChanges):
    engine: Engine

    @override
    def newest(self, most: int) -> ChangeBatch:
        return self._read(_NEWEST, most)

    @override
    def since(self, instant: datetime, most: int) -> ChangeBatch:
        return self._read(_SINCE_THEN, most, since=instant)

    def _read(self, look: _Look, most: int, **given: object) -> ChangeBatch:
        with single_statement(self.engine) as connection:
            # The time first: the next look reads on from it, less its look-back.
            server_time = connection.execute(_NOW).scalar_one()
            changes = _changes(connection, look, {**given, "most": most + 1})
            leases = {row.id: row.lease_until for row in connection.execute(_LEASES)}
        return ChangeBatch(
            changes=changes[-most:],
            is_complete=len(changes) <= most,
            leases=leases,
            server_time=server_time,
        )


def _changes(connection: Connection, look: _Look, given: Mapping[str, object]) -> list[Change]:
    items, gone = look
    changed = (
        Change(item_id=row["id"], changed_at=row["updated_at"], item=to_listed_item(row))
        for row in connection.execute(items, given).mappings()
    )
    removed = (
        Change(item_id=row.id, changed_at=row.removed_at, item=None)
        for row in connection.execute(gone, given)
    )
    return sorted(chain(changed, removed), key=lambda each: (each.changed_at, each.item_id))
