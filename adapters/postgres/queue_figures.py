"""Counts the queue by its indexes, never by a walk through the table."""

from dataclasses import dataclass

from sqlalchemy import Engine, text
from typing_extensions import override

from adapters.postgres.connections import single_statement
from application.ports.queue_figures import (
    COUNTED_UP_TO,
    Figures,
    ItemCount,
    QueueFigures,
    ScopeKind,
)
from domain.work.status import WorkStatus

# From one kind to the next by the index: as many steps as there are kinds.
_KINDS = """
    WITH RECURSIVE kinds AS (
        (SELECT kind FROM work_items ORDER BY kind LIMIT 1)
        UNION ALL
        SELECT (SELECT item.kind FROM work_items item WHERE item.kind > kinds.kind
                ORDER BY item.kind LIMIT 1)
        FROM kinds WHERE kinds.kind IS NOT NULL
    )
"""
# The order is an index's: without it the planner may walk through the table for each count.
COUNTS = f"""{_KINDS}
    SELECT kinds.kind, wanted.status, (
        SELECT count(*) FROM (
            SELECT FROM work_items item
            WHERE item.kind = kinds.kind AND item.status = wanted.status
            ORDER BY item.requested_at DESC, item.id DESC
            LIMIT :most
        ) counted
    ) AS count
    FROM kinds CROSS JOIN unnest(CAST(:statuses AS text[])) AS wanted(status)
    WHERE kinds.kind IS NOT NULL
    ORDER BY kinds.kind, wanted.status
"""  # noqa: S608  # made of our own text
# The expressions are the claim index's own, word for word.
OLDEST = f"""{_KINDS}, scopes AS (
        SELECT '00000000-0000-0000-0000-000000000000'::uuid AS id, 'unscoped' AS scope
        UNION ALL
        SELECT config.id,
               CASE WHEN config.is_active AND NOT owner.is_disabled
                    THEN 'active' ELSE 'inactive' END
        FROM storage_configs config JOIN users owner ON owner.id = config.user_id
    )
    SELECT scopes.scope,
           extract(epoch FROM clock_timestamp() - min(oldest.requested_at))::float AS seconds
    FROM scopes CROSS JOIN kinds CROSS JOIN LATERAL (
        SELECT item.requested_at FROM work_items item
        WHERE (item.status = 'Queued') IS TRUE AND (item.kind || '') = (kinds.kind || '')
          AND COALESCE(item.storage_config_id, '00000000-0000-0000-0000-000000000000'::uuid)
              = scopes.id
        ORDER BY item.requested_at, item.id LIMIT 1
    ) oldest
    GROUP BY scopes.scope
"""  # noqa: S608


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresQueueFigures(QueueFigures):
    engine: Engine

    @override
    def read(self) -> Figures:
        parameters = {"most": COUNTED_UP_TO, "statuses": [each.value for each in WorkStatus]}
        with single_statement(self.engine) as connection:
            counts = connection.execute(text(COUNTS), parameters).all()
            oldest: dict[str, float] = dict(connection.execute(text(OLDEST)).all())
        return Figures(
            counts=[ItemCount(kind=kind, status=status, count=n) for kind, status, n in counts],
            oldest_queued={each: max(0.0, oldest.get(each.value, 0.0)) for each in ScopeKind},
        )
