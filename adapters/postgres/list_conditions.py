"""Which items a list shows, as conditions of SQL."""

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
        found.append(_in_scope(which))
    return found


def _in_scope(which: ListFilter) -> ColumnElement[bool]:
    configs = sorted(scope for scope in which.scopes if scope is not None)
    wanted = [_ROW.storage_config_id.in_(configs)] if configs else []
    if None in which.scopes:
        wanted.append(_ROW.storage_config_id.is_(None))
    return or_(*wanted)
