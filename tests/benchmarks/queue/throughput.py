"""Items a second: asking for them, and one, two, four and eight Workers that empty the queue."""

from collections.abc import Sequence

from uuid_utils.compat import uuid7

from application.ports.work_queue import NewWorkItem
from tests.benchmarks.queue.figures import Figure, at_least, median, plain, timed
from tests.benchmarks.queue.rig import Rig, rig
from tests.benchmarks.queue.statements import NO_OP, enqueue_script, pair_script
from tests.benchmarks.queue.workers import drained, fill
from tests.postgres_server import TestServer

ROUNDS = 5
ENQUEUED = 2_000
PAIRS = 4_000


def enqueue(server: TestServer, rounds: int = ROUNDS) -> list[Figure]:
    with rig(server) as one:
        limit, ours = [], []
        for _ in range(rounds):
            limit.append(one.pgbench(enqueue_script(), ENQUEUED))
            ours.append(ENQUEUED / timed(lambda: _ask(one)) * 1_000)
        ratio = median([mine / theirs for mine, theirs in zip(ours, limit, strict=True)])
        return [
            plain("pgbench: enqueue", median(limit), "a second"),
            at_least("enqueue, one at a time", median(ours), "a second", ratio, 0.8),
        ]


def _ask(one: Rig) -> None:
    for _ in range(ENQUEUED):
        one.ports.queue.enqueue(NewWorkItem(id=uuid7(), kind="NoOp", payload=NO_OP))


def drains(server: TestServer, items: int, counts: Sequence[int], rounds: int) -> list[Figure]:
    """Each number of Workers against as many clients of pgbench; the first is the measure."""
    with rig(server) as one:
        limit: dict[int, list[float]] = {count: [] for count in counts}
        ours: dict[int, list[float]] = {count: [] for count in counts}
        for _ in range(rounds):
            for count in counts:
                floor = one.ports.now()
                fill(one, PAIRS + 100)
                limit[count].append(one.pgbench(pair_script(floor), PAIRS // count, count))
                ours[count].append(drained(one, count, items))
        figures = []
        for count in counts:
            best, mine = median(limit[count]), median(ours[count])
            figures.append(
                plain(f"pgbench: claim + succeed, {count} clients", best, "pairs a second")
            )
            name = f"a drain of {items:,} items by {count} Workers"
            if count == counts[0]:
                figures.append(at_least(name, mine, "a second", mine / best, 0.5))
            else:
                scaled = (mine / median(ours[counts[0]])) / (best / median(limit[counts[0]]))
                figures.append(at_least(f"{name}, scaling", mine, "a second", scaled, 0.8))
        return figures
