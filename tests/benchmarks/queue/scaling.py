"""`make bench-scaling`: what one PostgreSQL carries, and what the next steps give; docs/scaling.md.

Nothing is asserted. Clients and server share this machine's cores, so that each figure is less than
a server of its own would give.
"""

import shutil
import time
from dataclasses import replace
from datetime import timedelta

import psycopg

from adapters.postgres.engine import create_postgres_engine
from adapters.postgres.work_item_reader import PostgresWorkItemReader
from application.ports.work_item_reader import ListFilter
from tests.benchmarks.queue import report
from tests.benchmarks.queue.claims import household
from tests.benchmarks.queue.figures import Figure, median, percentile, plain, timed
from tests.benchmarks.queue.population import add_history
from tests.benchmarks.queue.rig import LIMITS, Rig, benchmark_server, rig
from tests.benchmarks.queue.statements import (
    beat_script,
    claim_script,
    pair_script,
    running_items,
)
from tests.benchmarks.queue.workers import drained, fill
from tests.benchmarks.table import machine
from tests.pooler import POOLER_PORT, pooler_before
from tests.postgres_server import TestServer
from tests.process.replicated import DATABASE, replicated_servers
from tests.process.replicated import address as address_of

CLIENTS = (1, 4, 16)
TRANSACTIONS = 4_000
RUNNING = 200
SCOPES = (1, 100, 1_000)
ROWS = 200_000
A_BATCH = 5_000
PARTITIONS = """
CREATE TABLE finished (LIKE work_items) PARTITION BY RANGE (finished_at);
CREATE TABLE finished_old PARTITION OF finished FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
INSERT INTO finished SELECT * FROM work_items WHERE finished_at IS NOT NULL;
"""


def statements(server: TestServer) -> list[Figure]:
    """Each of the statements alone, with more and more clients."""
    figures = []
    with rig(server) as one:
        for clients in CLIENTS:
            floor = one.ports.now()
            fill(one, TRANSACTIONS + 100)
            pairs = one.pgbench(pair_script(floor), TRANSACTIONS // clients, clients)
            figures.append(plain(f"claim + succeed, {clients} clients", pairs, "a second"))
        with one.connect() as database:
            database.execute(running_items(RUNNING).encode())
        for clients in CLIENTS:
            beats = one.pgbench(beat_script(RUNNING), TRANSACTIONS // clients, clients)
            figures.append(plain(f"heartbeats, {clients} clients", beats, "a second"))
    return figures


def idle_polls(server: TestServer) -> list[Figure]:
    """Claims that find nothing, by how many scopes the Worker serves."""
    figures = []
    for scopes in SCOPES:
        with rig(server) as one:
            home = household(one, scopes)
            add_history(one, ROWS, days_ago=5)  # an empty table answers without a look
            one.settle()
            script = claim_script(one.ports.now(), ("Crawl", "TokenCleanup"), home.user)
            polls = one.pgbench(script, TRANSACTIONS // 4, 4)
            figures.append(plain(f"polls that find nothing, {scopes} scopes", polls, "a second"))
    return figures


def pooler(server: TestServer) -> list[Figure]:
    """Real Workers, each with sessions of its own, and all over five of PgBouncer's."""
    with rig(server) as one:
        direct = drained(one, 4, 8_000).together
        with pooler_before(one.address) as socket:
            behind = replace(one.address, host=str(socket), port=POOLER_PORT, is_pooled=True)
            pooled = drained(replace(one, address=behind), 4, 8_000).together
    return [
        plain("4 Workers, sessions of their own", direct, "items a second"),
        plain("4 Workers over 5 sessions of PgBouncer", pooled, "items a second"),
    ]


def removal(server: TestServer) -> list[Figure]:
    """Old items leave by retention's batches, and as a partition of a table that holds them."""
    with rig(server) as one:
        add_history(one, ROWS, days_ago=60)
        with one.connect() as database:
            for statement in PARTITIONS.strip().split(";\n"):
                database.execute(statement.encode())
            drop = timed(lambda: database.execute("DROP TABLE finished_old"))
        one.settle()
        return [
            plain(f"{ROWS:,} items by retention", timed(lambda: _purge(one)), "ms"),
            plain(f"{ROWS:,} items as a partition that is dropped", drop, "ms"),
        ]


def _purge(one: Rig) -> None:
    one.ports.enqueue()
    tag, after = one.ports.claimed(), None
    while True:
        after = one.ports.purger.purge(
            tag, older_than=timedelta(days=30), after=after, most=A_BATCH
        ).position
        if after is None:
            return


def replica() -> list[Figure]:
    """The list read from a streaming replica, and how far that is behind."""
    with replicated_servers() as both:
        first, second = (
            replace(address_of(each), dbname=DATABASE) for each in (both.primary, both.replica)
        )
        reader = PostgresWorkItemReader(engine=create_postgres_engine(second, LIMITS, "replica"))
        late = []
        with psycopg.connect(first.conninfo(), autocommit=True) as primary:
            for number in range(100):
                began = time.perf_counter()
                primary.execute(
                    "INSERT INTO work_items (id, kind, payload)"
                    " VALUES (gen_random_uuid(), 'NoOp', '{}')"
                )
                while _total(reader) <= number:
                    assert time.perf_counter() < began + 10, "the replica does not follow"
                late.append((time.perf_counter() - began) * 1_000)
            page = median([timed(lambda: _total(reader)) for _ in range(50)])
        reader.engine.dispose()
    return [
        plain("list read from a replica", page, "ms"),
        plain("an item is in the replica's list, p95", percentile(late, 0.95), "ms"),
    ]


def _total(reader: PostgresWorkItemReader) -> int:
    return reader.page(ListFilter(), offset=0, limit=50, count_up_to=10_000).total


def main() -> None:
    print(machine(), flush=True)
    with benchmark_server() as server:
        parts = {
            "Statements": statements(server),
            "Idle": idle_polls(server),
            "Pooler": pooler(server) if shutil.which("pgbouncer") else [],
            "Removal": removal(server),
        }
    report.tell({**parts, "Replica": replica()})


if __name__ == "__main__":
    main()
