"""How many items there are by kind and status."""

import pytest

from application.ports.work_item_reader import ListFilter
from domain.work.kind import WorkKind
from domain.work.status import WorkStatus
from tests.contracts.harness import WorkPorts

CRAWL, CLEANUP = WorkKind.CRAWL, WorkKind.TOKEN_CLEANUP
QUEUED, RUNNING = WorkStatus.QUEUED, WorkStatus.RUNNING


def counted(
    ports: WorkPorts, which: ListFilter, *, up_to: int = 100, scoped_up_to: int = 100
) -> dict[tuple[str, WorkStatus], int | str]:
    found = ports.counter.count(which, up_to=up_to, scoped_up_to=scoped_up_to)
    return {
        (each.kind, each.status): f"{each.count}+" if each.is_capped else each.count
        for each in found.counts
    }


def test_an_empty_queue_has_no_counts(ports: WorkPorts) -> None:
    assert counted(ports, ListFilter()) == {}


def test_each_kind_is_counted_in_each_status_and_unknown_ones_too(ports: WorkPorts) -> None:
    for _ in range(3):
        ports.enqueue(CLEANUP)
    ports.claim()
    ports.enqueue("FromAnotherRelease")
    everything = {
        (CLEANUP, QUEUED): 2,
        (CLEANUP, RUNNING): 1,
        ("FromAnotherRelease", QUEUED): 1,
    }
    assert counted(ports, ListFilter()) == everything
    queued = ListFilter(statuses=frozenset({QUEUED}))
    assert counted(ports, queued) == {key: everything[key] for key in everything if QUEUED in key}
    cleanups = ListFilter(kinds=frozenset({CLEANUP, CRAWL}))
    assert counted(ports, cleanups) == {(CLEANUP, QUEUED): 2, (CLEANUP, RUNNING): 1}


@pytest.mark.parametrize(("up_to", "count"), [(4, 4), (3, "3+"), (5, 4)])
def test_a_count_is_exact_up_to_its_cap(ports: WorkPorts, up_to: int, count: int | str) -> None:
    for _ in range(4):
        ports.enqueue(CLEANUP)
    ports.enqueue(WorkKind.WORK_ITEM_RETENTION)
    assert counted(ports, ListFilter(), up_to=up_to) == {
        (CLEANUP, QUEUED): count,
        (WorkKind.WORK_ITEM_RETENTION, QUEUED): 1,
    }


def test_a_scope_counts_its_own_items_only(ports: WorkPorts) -> None:
    mine, other = ports.add_config(), ports.add_config()
    for scope in (mine, mine, other):
        ports.enqueue(CRAWL, scope=scope)
    ports.enqueue(CLEANUP)
    assert counted(ports, ListFilter(scopes=frozenset({mine}))) == {(CRAWL, QUEUED): 2}
    assert counted(ports, ListFilter(scopes=frozenset({None}))) == {(CLEANUP, QUEUED): 1}
    both = ListFilter(scopes=frozenset({None, other}), kinds=frozenset({CRAWL}))
    assert counted(ports, both) == {(CRAWL, QUEUED): 1}


def test_of_a_scope_with_too_many_items_every_count_is_a_lower_bound(ports: WorkPorts) -> None:
    config = ports.add_config()
    for _ in range(3):
        ports.enqueue(CRAWL, scope=config)
    scoped = ListFilter(scopes=frozenset({config}))
    assert counted(ports, scoped, scoped_up_to=3) == {(CRAWL, QUEUED): 3}
    assert counted(ports, scoped, scoped_up_to=2) == {(CRAWL, QUEUED): "2+"}
