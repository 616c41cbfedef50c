"""The ids of one page of the list, newest first, from indexes alone.

An index is in the list's order only for one scope, for one status, or for one kind with one status.
So a filter of several is as many reads of the index, merged: a single condition would make the
server read and sort all that match, or walk through all that do not.
"""

from collections.abc import Sequence
from itertools import product
from uuid import UUID

from sqlalchemy import ColumnElement, Select, select, union_all

from adapters.postgres.list_conditions import in_scope, kind_and_status
from adapters.postgres.tables import WORK_ITEMS
from application.ports.work_item_reader import ListFilter
from domain.work.status import WorkStatus

_ROW = WORK_ITEMS.c
_PLACE = (_ROW.requested_at, _ROW.id)


def listed_ids(which: ListFilter, offset: int, limit: int) -> Select[UUID]:
    """The page's ids; each branch reads no further than the page's end."""
    branches = _branches(which)
    if len(branches) == 1:
        return _in_order(select(_ROW.id).where(*branches[0])).offset(offset).limit(limit)
    heads = [
        select(_in_order(select(*_PLACE).where(*each)).limit(offset + limit).subquery())
        for each in branches
    ]
    merged = union_all(*heads).subquery()
    in_order = select(merged.c.id).order_by(merged.c.requested_at.desc(), merged.c.id.desc())
    return in_order.offset(offset).limit(limit)


def _in_order(query: Select[UUID]) -> Select[UUID]:
    return query.order_by(_ROW.requested_at.desc(), _ROW.id.desc())


def _branches(which: ListFilter) -> Sequence[Sequence[ColumnElement[bool]]]:
    """Conditions of which each is read in an index's order; no item meets two of them.

    All but a scope with a kind or a status are one stretch of it; that one passes over the others.
    """
    if which.scopes:
        rest = kind_and_status(which)
        return [(in_scope(scope), *rest) for scope in sorted(which.scopes, key=str)]
    if which.kinds:
        statuses = which.statuses or frozenset(WorkStatus)
        pairs = product(sorted(which.kinds), sorted(statuses))
        return [(_ROW.kind == kind, _ROW.status == status.value) for kind, status in pairs]
    return [(_ROW.status == status.value,) for status in sorted(which.statuses)] or [()]
