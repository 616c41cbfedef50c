"""A heartbeat with unchanged progress touches no index: the server counts it as a HOT update."""

import pytest

from adapters.postgres.engine import ConnectionLimits, PostgresAddress, create_postgres_engine
from domain.work.progress import progress_of
from tests.contracts.harness import LEASE, PostgresPorts
from tests.statistics_of_updates import updates

pytestmark = pytest.mark.postgres
BEATS = 50


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
