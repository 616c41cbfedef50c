"""Items a second: asking for them, and one, two, four and eight Workers that empty the queue."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from uuid_utils.compat import uuid7

from application.ports.work_queue import NewWorkItem
from tests.benchmarks.queue.figures import Figure, at_least, median, plain, timed
from tests.benchmarks.queue.rig import Rig, rig
from tests.benchmarks.queue.statements import NO_OP, chain_script, enqueue_script, pair_script
from tests.benchmarks.queue.workers import Drain, drained, fill
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


def drains(
    server: TestServer, items: int, counts: Sequence[int], rounds: int, rounds_of_many: int
) -> list[Figure]:
    """Each number of Workers against as many clients of pgbench; the first is the measure."""
    with rig(server) as one:
        limit: dict[int, list[float]] = {count: [] for count in counts}
        ours: dict[int, list[Drain]] = {count: [] for count in counts}
        chained = []
        for number in range(rounds):
            for count in counts if number < rounds_of_many else counts[:1]:
                floor = one.ports.now()
                fill(one, PAIRS + 100)
                limit[count].append(one.pgbench(pair_script(floor), PAIRS // count, count))
                ours[count].append(drained(one, count, items))
            floor = one.ports.now()
            fill(one, PAIRS + 100)
            chained.append(one.pgbench(chain_script(floor), PAIRS, id=UUID(int=0), attempt=0))
        return [
            plain("pgbench: both in one statement, 1 client", median(chained), "pairs a second"),
            *(
                figure
                for count in counts
                for figure in _compared(count, counts[0], items, limit=limit, ours=ours)
            ),
        ]


def _compared(
    count: int,
    first: int,
    items: int,
    *,
    limit: Mapping[int, Sequence[float]],
    ours: Mapping[int, Sequence[Drain]],
) -> list[Figure]:
    best = median(limit[count])
    name = f"a drain of {items:,} items by {count} Worker{'s' if count > 1 else ''}"
    against = plain(f"pgbench: claim + succeed, {count} clients", best, "pairs a second")
    if count == first:
        whole = median([drain.whole for drain in ours[count]])
        return [against, at_least(name, whole, "a second", whole / best, 0.5)]
    together = median([drain.together for drain in ours[count]])
    alone = median([drain.together for drain in ours[first]])
    scaled = (together / alone) / (best / median(limit[first]))
    return [against, at_least(f"{name}, scaling", together, "a second", scaled, 0.8)]
