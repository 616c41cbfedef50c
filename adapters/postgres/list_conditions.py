"""Which items a list shows, as conditions of SQL."""

from uuid import UUID

from sqlalchemy import ColumnElement, or_

from adapters.postgres.tables import WORK_ITEMS
from application.ports.work_item_reader import ListFilter

_ROW = WORK_ITEMS.c


def conditions(which: ListFilter) -> list[ColumnElement[bool]]:
    """All of which an item has to meet; none where nothing is filtered."""
    found: list[ColumnElement[bool]] = []
    if which.statuses:
        found.append(_ROW.status.in_(sorted(which.statuses)))
    if which.kinds:
        found.append(_ROW.kind.in_(sorted(which.kinds)))
    if which.scopes:
        found.append(or_(*(in_scope(scope) for scope in sorted(which.scopes, key=str))))
    return found


def in_scope(scope: UUID | None) -> ColumnElement[bool]:
    """The items of one storage config; None: the unscoped ones."""
    config = _ROW.storage_config_id
    return config.is_(None) if scope is None else config == scope
