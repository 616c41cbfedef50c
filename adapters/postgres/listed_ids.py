"""The ids of one page of the list, newest first, and how many there are, from indexes alone.

A filter is as many reads of an index as it has stretches there, merged: a single condition would
make the server read and sort all that match, or walk through all that do not.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias
from uuid import UUID

from sqlalchemy import ScalarSelect, Select, Subquery, UnaryExpression, func, select, union_all
from sqlalchemy.sql.base import ReadOnlyColumnCollection
from sqlalchemy.sql.elements import KeyedColumnElement

from adapters.postgres.list_stretches import Stretch
from adapters.postgres.tables import WORK_ITEMS

_ROW = WORK_ITEMS.c
Columns: TypeAlias = ReadOnlyColumnCollection[str, KeyedColumnElement[Any]]


def listed_ids(wanted: Sequence[Stretch], offset: int, limit: int) -> Select[UUID]:
    """The page's ids; each stretch is read no further than the page's end."""
    if len(wanted) == 1:
        return _in_order(wanted[0]).with_only_columns(_ROW.id).offset(offset).limit(limit)
    merged = _heads(wanted, offset + limit)
    order = _order(merged.c, begins_with_scope=all(each.is_unscoped for each in wanted))
    return select(merged.c.id).order_by(*order).offset(offset).limit(limit)


def counted(wanted: Sequence[Stretch], up_to: int) -> ScalarSelect[int]:
    """How many there are in the stretches, counted up to this many."""
    some = select(_heads(wanted, up_to).c.id).limit(up_to).subquery()
    return select(func.count()).select_from(some).scalar_subquery()


def _heads(wanted: Sequence[Stretch], limit: int) -> Subquery:
    """The first of each stretch. In its order: else a rare one is looked for in the whole table."""
    return union_all(
        *(select(_in_order(each).limit(limit).subquery()) for each in wanted)
    ).subquery()


def _in_order(stretch: Stretch) -> Select[object]:
    order = _order(_ROW, begins_with_scope=stretch.is_unscoped)
    return (
        select(_ROW.storage_config_id, _ROW.requested_at, _ROW.id)
        .where(*stretch.conditions)
        .order_by(*order)
    )


def _order(of: Columns, *, begins_with_scope: bool) -> Sequence[UnaryExpression[object]]:
    newest_first = (of.requested_at.desc(), of.id.desc())
    return (of.storage_config_id.asc(), *newest_first) if begins_with_scope else newest_first
