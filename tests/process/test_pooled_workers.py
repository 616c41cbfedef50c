"""Eight Workers share five sessions of the database through PgBouncer."""

import psycopg
import pytest

from adapters.postgres.engine import PostgresAddress
from domain.work.status import WorkStatus
from tests.pooler import SESSIONS
from tests.postgres_server import TestServer
from tests.process.hosts import Scene

pytestmark = [pytest.mark.postgres, pytest.mark.process]
WORKERS = 8


def test_eight_workers_do_everything_once_and_share_five_sessions(
    stage: Scene, server: TestServer, database: PostgresAddress
) -> None:
    if server.pooler is None:
        pytest.skip("TEST_POOLER=1 puts PgBouncer before the server")
    workers = [stage.start() for _ in range(WORKERS)]
    items = [stage.enqueue("work", 0.5) for _ in range(5 * WORKERS)]
    for item in items:
        stage.until(item, WorkStatus.SUCCEEDED, 60)
    assert sorted(str(line["item"]) for line in stage.ledger if line["event"] == "begin") == sorted(
        map(str, items)
    )
    assert len({line["keeper"] for line in stage.ledger}) == WORKERS
    assert [worker.process.poll() for worker in workers] == [None] * WORKERS
    with psycopg.connect(server.at(database.dbname).conninfo(), connect_timeout=10) as direct:
        [sessions] = direct.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND usename = 'anichron_worker'"
        ).fetchone() or [0]
    assert 0 < sessions <= SESSIONS
