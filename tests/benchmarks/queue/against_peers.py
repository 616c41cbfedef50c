"""A drain by one of our Workers, and by each peer, in turns on one server."""

from collections import defaultdict
from collections.abc import Mapping

from tests.benchmarks.queue.figures import Figure, at_least, median, plain
from tests.benchmarks.queue.peers.command import Unavailable
from tests.benchmarks.queue.peers.environment import prepare
from tests.benchmarks.queue.peers.peers import PEERS, Concurrency, drain
from tests.benchmarks.queue.rig import rig
from tests.benchmarks.queue.workers import drained
from tests.postgres_server import TestServer

ITEMS = 1_500
ROUNDS = 3
ROUNDS_OF_DEFAULTS = 1
TIMES_THE_MEDIAN = 2.0
COLUMNS: Mapping[Concurrency, str] = {
    "1": "one at a time",
    "default": "at its default concurrency",
}


def measure(server: TestServer, items: int = ITEMS, rounds: int = ROUNDS) -> list[Figure]:
    environment = prepare()
    ours: list[float] = []
    theirs: dict[tuple[Concurrency, str], list[float]] = defaultdict(list)
    reasons: dict[str, str] = {}
    for number in range(rounds):
        with rig(server) as one:
            ours.append(drained(one, 1, items).whole)
        for column in list(COLUMNS)[: 2 if number < ROUNDS_OF_DEFAULTS else 1]:
            for peer in PEERS:
                result = drain(environment, peer, server.address, items, column)
                if isinstance(result, Unavailable):
                    reasons[f"{peer.name}, {COLUMNS[column]}"] = result.reason
                else:
                    # Until the outcomes are in the table, as ours are.
                    theirs[column, peer.name].append(result.items / result.settled_seconds)
    mine = median(ours)
    rates = {key: median(values) for key, values in theirs.items()}
    single = [rate for (column, _), rate in rates.items() if column == "1"]
    figures = [plain("anichron, one Worker, one at a time", mine, "a second")]
    for (column, name), rate in sorted(rates.items()):
        label = f"{name}, {COLUMNS[column]}"
        if column == "1":
            figures.append(at_least(label, rate, "a second", mine / rate, 1))
        else:
            figures.append(plain(label, rate, "a second"))
    if single:
        figures.append(
            at_least(
                "anichron over the median peer, one at a time",
                mine,
                "a second",
                mine / median(single),
                TIMES_THE_MEDIAN,
            )
        )
    for label, reason in sorted(reasons.items()):
        figures.append(plain(f"{label}: not measured, {reason}", 0, ""))
    return figures
