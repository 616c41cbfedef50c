"""`make bench`: every line of the specification's table of speed, in one run."""

import argparse
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.benchmarks import recrawl
from tests.benchmarks.queue import (
    against_peers,
    age,
    claims,
    plot,
    reading,
    report,
    start,
    streams,
    throughput,
    waiting,
)
from tests.benchmarks.queue.figures import Figure, plain
from tests.benchmarks.queue.peers.environment import prepare
from tests.benchmarks.queue.rig import benchmark_server
from tests.benchmarks.table import machine
from tests.postgres_server import TestServer

Part = Callable[[TestServer], list[Figure]]

WHOLE: dict[str, Part] = {
    "Asking for work": throughput.enqueue,
    "Emptying the queue": lambda server: throughput.drains(server, 10_000, [1, 2, 4, 8], 5, 2),
    "Against other queues": against_peers.measure,
    "Claims behind finished items": lambda server: claims.behind_history(server, [1, 5]),
    "Claims behind other scopes": lambda server: claims.behind_strangers(server, 1, [1, 10, 1_000]),
    "Claims behind unknown kinds": lambda server: claims.behind_unknown_kinds(server, 1),
    "Churn": lambda server: age.churn(server, 60),
    "A snapshot held open": age.snapshot,
    "Purge": lambda server: age.purge(server, 1_000_000),
    "An idle Worker": waiting.pick_up,
    "Heartbeats": waiting.heartbeats,
    "The admin's list and the live view": reading.measure,
    "Open streams": streams.measure,
    "Start": lambda _: start.measure(),
    "A crawl of what is known": lambda _: recrawl.figures(),
}
QUICK: dict[str, Part] = {
    "Asking for work": lambda server: throughput.enqueue(server, 3),
    "Emptying the queue": lambda server: throughput.drains(server, 5_000, [1, 2], 1, 1),
    "Claims behind other scopes": lambda server: claims.behind_strangers(server, 0, [1, 10]),
    "Heartbeats": waiting.heartbeats,
    "An idle Worker": lambda server: waiting.pick_up(server, 30),
}
NOTES = Path(__file__).with_name("notes.md")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="under two minutes; writes no file")
    parser.add_argument("--only", nargs="*", default=[], help="parts whose names begin like this")
    wanted = parser.parse_args()
    chosen = QUICK if wanted.quick else WHOLE
    print(machine(), flush=True)
    parts = measured({name: part for name, part in chosen.items() if _is_asked(name, wanted.only)})
    report.tell(parts)
    if not wanted.quick and not wanted.only:
        report.write(parts, NOTES.read_text())
        plot.draw(prepare(), report.DOCS)


def _is_asked(name: str, beginnings: Sequence[str]) -> bool:
    return not beginnings or any(name.lower().startswith(each.lower()) for each in beginnings)


def measured(parts: dict[str, Part]) -> dict[str, list[Figure]]:
    found = {}
    with benchmark_server() as server:
        for name, part in parts.items():
            began = time.monotonic()
            try:
                found[name] = part(server)
            except Exception as fault:  # noqa: BLE001  # the other parts are worth their while
                traceback.print_exc()
                found[name] = [plain(f"{name}: not measured, {type(fault).__name__}", 0, "")]
            print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
    return found


if __name__ == "__main__":
    main()
