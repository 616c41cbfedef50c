"""A heartbeat with unchanged progress touches no index: the server counts it as a HOT update."""

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.engine import ConnectionLimits, PostgresAddress, create_postgres_engine
from domain.work.progress import progress_of
from tests.contracts.harness import LEASE, PostgresPorts

pytestmark = pytest.mark.postgres
BEATS = 50


def updates(engine: Engine) -> tuple[int, int]:
    """All updates of work_items so far, and the HOT ones among them."""
    with engine.connect() as connection:
        connection.execute(text("SELECT pg_stat_force_next_flush()"))
        connection.commit()
        row = connection.execute(
            text(
                "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables"
                " WHERE relname = 'work_items'"
            )
        ).one()
        return row.n_tup_upd, row.n_tup_hot_upd


def test_every_beat_without_news_is_hot(database: PostgresAddress) -> None:
    # One connection for all: its own counts are flushed when it says so.
    engine = create_postgres_engine(database, ConnectionLimits(pool_size=1), "beats")
    ports = PostgresPorts(engine=engine)
    ports.enqueue()
    tag = ports.claimed()
    same = progress_of(1, 9, "n")
    ports.execution.heartbeat(tag, same, LEASE)
    before = updates(engine)
    for _ in range(BEATS):
        ports.execution.heartbeat(tag, same, LEASE)
    after = updates(engine)
    assert after[0] - before[0] == BEATS
    assert after[1] - before[1] == BEATS
    engine.dispose()
