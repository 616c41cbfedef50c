"""What the admin's list and the live view cost with a million items."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from application.ports.work_item_reader import ListFilter
from domain.work.status import WorkStatus
from tests.benchmarks.queue.figures import Figure, at_most, median, timed
from tests.benchmarks.queue.population import add_history, add_scopes
from tests.benchmarks.queue.rig import Rig, rig
from tests.postgres_server import TestServer

PAGE_SIZE = 50
COUNTED = 10_000
DEEP = 1_000
RUNS = 15
FILTERS = {
    "all": ListFilter(),
    "succeeded": ListFilter(statuses=frozenset({WorkStatus.SUCCEEDED})),
    "failed": ListFilter(statuses=frozenset({WorkStatus.FAILED})),
    "queued": ListFilter(statuses=frozenset({WorkStatus.QUEUED})),
    "two statuses": ListFilter(statuses=frozenset({WorkStatus.FAILED, WorkStatus.SUCCEEDED})),
    "one kind": ListFilter(kinds=frozenset({"TokenCleanup"})),
    "two kinds, two statuses": ListFilter(
        statuses=frozenset({WorkStatus.FAILED, WorkStatus.SUCCEEDED}),
        kinds=frozenset({"TokenCleanup", "Crawl"}),
    ),
}
PARTS = {
    "": ListFilter(),
    ", failed": ListFilter(statuses=frozenset({WorkStatus.FAILED})),
    ", queued": ListFilter(statuses=frozenset({WorkStatus.QUEUED})),
    ", one kind": ListFilter(kinds=frozenset({"TokenCleanup"})),
}


def measure(server: TestServer, millions: int = 1) -> list[Figure]:
    with rig(server) as full:
        add_history(full, millions * 1_000_000)
        full.settle()
        figures = _lists(full, FILTERS)
        events = _events(full)
    with rig(server) as halves:
        [scope] = add_scopes(halves, halves.ports.add_user(), 1)
        add_history(halves, millions * 1_000_000, config=scope)
        halves.settle()
        for name, whose in (("one scope", scope), ("no scope", None)):
            of = {
                f"{name}{part}": replace(PARTS[part], scopes=frozenset({whose})) for part in PARTS
            }
            figures += _lists(halves, of)
    return [*figures, events]


def _lists(full: Rig, filters: Mapping[str, ListFilter]) -> list[Figure]:
    figures = []
    for name, which in filters.items():
        first, deep = _page(full, which, 1), _page(full, which, DEEP)
        figures += [
            at_most(f"list, {name}, page 1", first, "ms", first, 20),
            at_most(f"list, {name}, page {DEEP}", deep, "ms", deep, 20),
            at_most(f"list, {name}, page {DEEP} over page 1", deep, "ms", deep / first, 10),
        ]
    return figures


def _page(full: Rig, which: ListFilter, page: int) -> float:
    def read() -> None:
        full.ports.reader.page(
            which, offset=(page - 1) * PAGE_SIZE, limit=PAGE_SIZE, count_up_to=COUNTED
        )

    read()
    return median([timed(read) for _ in range(RUNS)])


def _events(full: Rig) -> Figure:
    """One look of the live view: the last ten seconds, of which a hundred items changed."""
    for _ in range(100):
        full.ports.enqueue()
    since = full.ports.now() - timedelta(seconds=10)

    def look() -> None:
        full.ports.changes.since(since, 1_000)

    look()
    value = median([timed(look) for _ in range(RUNS)])
    return at_most("events query", value, "ms", value, 2)
