"""Fills the table: finished history, other people's backlogs, scopes."""

from uuid import UUID, uuid4

from tests.benchmarks.queue.rig import Rig

# By requested time these lie before everything that is enqueued later.
LONG_AGO = "clock_timestamp() - interval '20 days'"
HISTORY = """
INSERT INTO work_items (id, kind, payload, storage_config_id, requested_at, status, attempt,
    claimed_by, started_at, finished_at, updated_at, result, error)
SELECT gen_random_uuid(), CASE n %% 10 WHEN 0 THEN 'TokenCleanup' ELSE 'Crawl' END, '{}',
    CASE n / 1000 %% 2 WHEN 0 THEN %(config)s::uuid END, at, status, 1,
    'all@bench', at, at + interval '1 s', at + interval '1 s',
    CASE status WHEN 'Succeeded' THEN '{"deleted": 3}'::jsonb END,
    CASE status WHEN 'Failed' THEN 'ValueError: no' END
FROM (
    SELECT n, %(from)s::timestamptz + n * interval '1 ms' AS at,
        CASE n %% 100 WHEN 0 THEN 'Failed' WHEN 1 THEN 'Cancelled' ELSE 'Succeeded' END AS status
    FROM generate_series(1, %(rows)s) AS n
) AS made
"""
BACKLOG = f"""
INSERT INTO work_items (id, kind, payload, storage_config_id, requested_at)
SELECT gen_random_uuid(), %(kind)s, '{{}}', %(config)s, {LONG_AGO} + n * interval '1 ms'
FROM generate_series(1, %(rows)s) AS n
"""  # a constant of ours


def add_history(rig: Rig, rows: int, days_ago: int = 20, config: UUID | None = None) -> None:
    """Finished items, a hundredth failed and a hundredth cancelled; half of them in the scope."""
    with rig.connect() as connection:
        row = connection.execute(
            "SELECT clock_timestamp() - make_interval(days => %s)", [days_ago]
        ).fetchone()
        assert row is not None
        connection.execute(HISTORY, {"from": row[0], "rows": rows, "config": config})


def add_backlog(rig: Rig, rows: int, config: UUID | None, kind: str = "Crawl") -> None:
    """Queued items that were asked for before all others."""
    with rig.connect() as connection:
        connection.execute(BACKLOG, {"kind": kind, "config": config, "rows": rows})


def add_scopes(rig: Rig, user: UUID, count: int) -> list[UUID]:
    """Active configs of this user."""
    configs = [uuid4() for _ in range(count)]
    with rig.connect() as connection, connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO storage_configs (id, user_id, root_path, time_zone)"
            " VALUES (%s, %s, %s, 'UTC')",
            [(config, user, f"/bench/{config}") for config in configs],
        )
    return configs
