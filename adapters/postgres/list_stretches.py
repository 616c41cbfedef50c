"""Which stretches of the lists' indexes hold the items of a filter.

The indexes are in the list's order only where kind and status are fixed, or the status alone. Which
kinds occur in a scope is found by skipping from one to the next in the index, so that a filter of
scopes needs no more reads than it has stretches with items in them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from sqlalchemy import ColumnElement, Connection, text

from adapters.postgres.list_conditions import in_scope
from adapters.postgres.tables import WORK_ITEMS
from application.ports.work_item_reader import ListFilter
from domain.work.status import WorkStatus

_ROW = WORK_ITEMS.c


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Items that lie together in one index, in the list's order. A filter's have none in common."""

    conditions: tuple[ColumnElement[bool], ...]
    is_unscoped: bool = False
    """Of no storage config: only together with that column is the index seen to be in order."""


# Only one index has these orders, and begins where it is asked to. A plain "=" would let another
# one be read through for a scope that has little or nothing. Rows with a null can't be compared.
_NEXT_KIND = """
    CASE WHEN found.scope IS NULL THEN (
        SELECT item.kind FROM work_items item
        WHERE item.storage_config_id IS NULL AND item.kind > found.kind
        ORDER BY item.storage_config_id, item.kind LIMIT 1
    ) ELSE (
        SELECT item.kind FROM work_items item
        WHERE (item.storage_config_id, item.kind) > (found.scope, found.kind)
        AND item.storage_config_id <= found.scope
        ORDER BY item.storage_config_id, item.kind LIMIT 1
    ) END
"""
_HAS_ITEMS = """
    CASE WHEN found.scope IS NULL THEN (
        SELECT 1 FROM work_items item WHERE item.storage_config_id IS NULL
        AND (item.kind, item.status) >= (found.kind, wanted.status)
        AND (item.kind, item.status) <= (found.kind, wanted.status)
        ORDER BY item.storage_config_id, item.kind, item.status LIMIT 1
    ) ELSE (
        SELECT 1 FROM work_items item
        WHERE (item.storage_config_id, item.kind, item.status)
            >= (found.scope, found.kind, wanted.status)
        AND (item.storage_config_id, item.kind, item.status)
            <= (found.scope, found.kind, wanted.status)
        ORDER BY item.storage_config_id, item.kind, item.status LIMIT 1
    ) END = 1
"""
IN_SCOPES = text(f"""
WITH RECURSIVE found (scope, kind) AS (
    SELECT scopes.id, '' FROM unnest(CAST(:scopes AS uuid[])) AS scopes (id)
    UNION ALL
    SELECT found.scope, {_NEXT_KIND} FROM found WHERE found.kind IS NOT NULL
)
SELECT found.scope, found.kind, wanted.status
FROM found CROSS JOIN unnest(CAST(:statuses AS text[])) AS wanted (status)
WHERE found.kind <> ''
  AND (CAST(:kinds AS text[]) IS NULL OR found.kind = ANY(CAST(:kinds AS text[])))
  AND {_HAS_ITEMS}
ORDER BY found.scope, found.kind, wanted.status
""")  # noqa: S608  # constants of ours


def stretches(connection: Connection, which: ListFilter) -> Sequence[Stretch]:
    """Those in which the filter's items are, some perhaps empty; none: there are no items."""
    if which.scopes:
        return _of_scopes(connection, which)
    if which.kinds:
        pairs = product(sorted(which.kinds), sorted(_statuses(which)))
        return [Stretch(conditions=_of_kind(kind, status)) for kind, status in pairs]
    if which.statuses:
        return [Stretch(conditions=(_ROW.status == each,)) for each in sorted(which.statuses)]
    return [Stretch(conditions=())]


def _of_scopes(connection: Connection, which: ListFilter) -> Sequence[Stretch]:
    given = {
        "scopes": list(which.scopes),
        "statuses": sorted(_statuses(which)),
        "kinds": sorted(which.kinds) or None,
    }
    return [
        Stretch(
            conditions=(in_scope(scope), *_of_kind(kind, status)),
            is_unscoped=scope is None,
        )
        for scope, kind, status in connection.execute(IN_SCOPES, given)
    ]


def _of_kind(kind: str, status: str) -> tuple[ColumnElement[bool], ...]:
    return (_ROW.kind == kind, _ROW.status == status)


def _statuses(which: ListFilter) -> list[str]:
    return [status.value for status in which.statuses or WorkStatus]
