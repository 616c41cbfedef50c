"""Which items a list shows, as conditions of SQL."""

from uuid import UUID

from sqlalchemy import ColumnElement, or_

from adapters.postgres.tables import WORK_ITEMS
from application.ports.work_item_reader import ListFilter

_ROW = WORK_ITEMS.c


def conditions(which: ListFilter) -> list[ColumnElement[bool]]:
    """All of which an item has to meet; none where nothing is filtered."""
    found = kind_and_status(which)
    if which.scopes:
        configs = sorted(scope for scope in which.scopes if scope is not None)
        wanted = [_ROW.storage_config_id.in_(configs)] if configs else []
        found.append(or_(*wanted, *(in_scope(None) for scope in which.scopes if scope is None)))
    return found


def kind_and_status(which: ListFilter) -> list[ColumnElement[bool]]:
    """The conditions of a filter but for its scopes."""
    found: list[ColumnElement[bool]] = []
    if which.statuses:
        found.append(_ROW.status.in_(sorted(which.statuses)))
    if which.kinds:
        found.append(_ROW.kind.in_(sorted(which.kinds)))
    return found


def in_scope(scope: UUID | None) -> ColumnElement[bool]:
    """The items of one storage config; None: the unscoped ones."""
    config = _ROW.storage_config_id
    return config.is_(None) if scope is None else config == scope
