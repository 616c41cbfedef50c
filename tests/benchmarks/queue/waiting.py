"""What happens in the quiet: pick-up by an idle Worker, and heartbeats without news."""

import time

from uuid_utils.compat import uuid7

from application.ports.work_queue import NewWorkItem
from tests.benchmarks.queue.figures import Figure, at_least, at_most, percentile
from tests.benchmarks.queue.rig import rig
from tests.benchmarks.queue.statements import NO_OP
from tests.benchmarks.queue.workers import workers
from tests.postgres_server import TestServer
from tests.statistics_of_updates import updates_of_beats

POLL_SECONDS = 2.0
PICK_UPS = 140
ODD_MOMENTS_SECONDS = (0.11, 0.43, 0.29, 0.37, 0.23)
BEATS = 500


def pick_up(server: TestServer, times: int = PICK_UPS) -> list[Figure]:
    """From the request to the start, by the database's clock; requests come at odd moments."""
    with rig(server) as one, workers(one, 1):
        for number in range(times):
            one.ports.queue.enqueue(NewWorkItem(id=uuid7(), kind="NoOp", payload=NO_OP))
            time.sleep(ODD_MOMENTS_SECONDS[number % len(ODD_MOMENTS_SECONDS)])
        time.sleep(POLL_SECONDS + 1)
        with one.connect() as connection:
            rows = connection.execute(
                "SELECT extract(epoch FROM started_at - requested_at) FROM work_items"
                " WHERE kind = 'NoOp' AND started_at IS NOT NULL"
            ).fetchall()
    taken = [float(row[0]) for row in rows]
    assert len(taken) == times
    half, most = percentile(taken, 0.5), percentile(taken, 0.99)
    return [
        at_most("pick-up by an idle Worker, p50", half, "s", half, POLL_SECONDS / 2),
        at_most("pick-up by an idle Worker, p99", most, "s", most, POLL_SECONDS + 0.1),
    ]


def heartbeats(server: TestServer) -> list[Figure]:
    with rig(server) as one:
        all_updates, hot_updates = updates_of_beats(one.address, BEATS)
    hot = hot_updates / all_updates
    return [at_least("heartbeats without news that are HOT", 100 * hot, "%", hot, 1)]
