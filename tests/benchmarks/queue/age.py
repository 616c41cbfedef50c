"""What time does to the table: churn, a snapshot that is held open, and a purge meanwhile."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from application.ports.work_item_purger import PurgePosition
from domain.work.progress import progress_of
from entrypoints.common.settings import QueueSettings
from tests.benchmarks.queue.claims import A_ROUND, LEASE, household
from tests.benchmarks.queue.figures import Figure, at_most, median, plain
from tests.benchmarks.queue.population import add_history
from tests.benchmarks.queue.rig import Rig, rig
from tests.benchmarks.queue.workers import FILL, workers
from tests.postgres_server import TestServer

# Ten minutes at 50 items a second with 20 Workers that beat every 2 s; all but the last of it as
# fast as it goes.
SNAPSHOT_ITEMS = 30_000
SNAPSHOT_RATE = 50
CATCHING_UP_SECONDS = 16
"""How long what went by too fast lies within the claim's floor."""
SNAPSHOT_BEATS = 6_000
BEATING = 20
PURGE_BATCH = QueueSettings().retention_batch_size


def churn(server: TestServer, seconds: int) -> list[Figure]:
    """Real Workers at full speed for so long; then the same claims as before."""
    with rig(server) as one:
        claims = household(one, 1).claims()
        fresh = median([claims.round() for _ in range(3)])
        end = time.monotonic() + seconds
        with workers(one, 2), one.connect() as database:
            while time.monotonic() < end:
                database.execute(FILL, [1_000])
                _until_idle(one, 100)
            _until_idle(one, 0)
        worn = median([claims.round() for _ in range(3)])
        return [
            plain("claim p99, fresh", fresh, "ms"),
            at_most(f"claim p99 after {seconds} s of churn", worn, "ms", worn / fresh, 2),
            plain("table after the churn", _megabytes(one), "MB"),
        ]


def snapshot(server: TestServer, items: int = SNAPSHOT_ITEMS) -> list[Figure]:
    """Somebody holds a snapshot open: nothing that dies can be cleaned away."""
    with rig(server) as one:
        claims = household(one, 1).claims()
        fresh = median([claims.round() for _ in range(3)])
        beating = []
        for _ in range(BEATING):
            one.ports.enqueue()
            beating.append(one.ports.claimed())
        before = _megabytes(one)
        with one.connect() as holder:
            holder.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            holder.execute("SELECT count(*) FROM work_items")
            beats = SNAPSHOT_BEATS * items // SNAPSHOT_ITEMS
            same = progress_of(1, 2, "n")
            for number in range(items // A_ROUND):
                claims.round()
                for beat in range(beats * A_ROUND // items):
                    tag = beating[(number + beat) % BEATING]
                    one.ports.execution.heartbeat(tag, same, LEASE)
            at_once = claims.round()
            claims.round(SNAPSHOT_RATE * CATCHING_UP_SECONDS, a_second=SNAPSHOT_RATE)
            held = median([claims.round(a_second=SNAPSHOT_RATE) for _ in range(3)])
            holder.execute("ROLLBACK")
        grown = _megabytes(one) - before
        one.settle()
        after = median([claims.round() for _ in range(3)])
        return [
            plain("claim p99 before the snapshot", fresh, "ms"),
            at_most(
                f"claim p99, a snapshot held over {items:,} items", held, "ms", held / fresh, 2
            ),
            plain("the same, right after 30,000 items in less than ten minutes", at_once, "ms"),
            plain("claim p99 after its release", after, "ms"),
            plain("growth of table and indexes meanwhile", grown, "MB"),
        ]


def purge(server: TestServer, rows: int) -> list[Figure]:
    """Retention of a million items while a Worker claims."""
    with rig(server) as one:
        add_history(one, rows, days_ago=60)
        one.settle()
        claims = household(one, 1).claims()
        claims.round(50)
        quiet = median([claims.round() for _ in range(3)])
        one.ports.enqueue()
        tag = one.ports.claimed()

        def purge_all() -> None:
            after: PurgePosition | None = None
            while True:
                purged = one.ports.purger.purge(
                    tag, older_than=timedelta(days=30), after=after, most=PURGE_BATCH
                )
                after = purged.position
                if after is None:
                    return

        busy = []
        began = time.monotonic()
        with beside(purge_all) as is_going_on:
            while is_going_on():
                busy.append(claims.round())
        seconds = time.monotonic() - began
        return [
            plain("claim p99 before the purge", quiet, "ms"),
            at_most(
                f"claim p99 while {rows:,} items are purged",
                median(busy),
                "ms",
                median(busy) / quiet,
                5,
            ),
            plain("the purge", seconds, "s"),
        ]


@contextmanager
def beside(act: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Run it in a thread; whether it still runs."""
    faults: list[BaseException] = []

    def go() -> None:
        try:
            act()
        except BaseException as fault:  # noqa: BLE001  # told below
            faults.append(fault)

    thread = threading.Thread(target=go, daemon=True)
    thread.start()
    yield thread.is_alive
    thread.join(60)
    assert faults == []


def _until_idle(one: Rig, left: int) -> None:
    with one.connect() as database:
        while True:
            row = database.execute(
                "SELECT count(*) FROM work_items WHERE status = 'Queued' AND kind = 'NoOp'"
            ).fetchone()
            if row is None or row[0] <= left:
                return
            time.sleep(0.05)


def _megabytes(one: Rig) -> float:
    with one.connect() as database:
        row = database.execute("SELECT pg_total_relation_size('work_items') / 1048576.0").fetchone()
        assert row is not None
        return float(row[0])
