"""What the server counts of the updates of work items."""

from sqlalchemy import Engine, text

from adapters.postgres.engine import ConnectionLimits, PostgresAddress
from domain.work.progress import progress_of
from tests.contracts.harness import LEASE, PostgresPorts
from tests.postgres_server import engine_at


def updates_of_beats(database: PostgresAddress, beats: int) -> tuple[int, int]:
    """How many updates so many heartbeats without news were, and how many of these were HOT."""
    # One session for all: its own counts are flushed when it says so.
    with engine_at(database, ConnectionLimits(pool_size=1)) as engine:
        ports = PostgresPorts(engine=engine)
        ports.enqueue()
        tag = ports.claimed()
        same = progress_of(3, 10, "pictures")
        ports.execution.heartbeat(tag, same, LEASE)
        before = _updates(engine)
        for _ in range(beats):
            ports.execution.heartbeat(tag, same, LEASE)
        after = _updates(engine)
    return after[0] - before[0], after[1] - before[1]


def _updates(engine: Engine) -> tuple[int, int]:
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
