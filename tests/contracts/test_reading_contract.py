"""The list, the changes and the purge."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from application.ports.work_item_reader import ListFilter
from domain.work.attempt import AttemptTag, ClaimLost
from domain.work.kind import WorkKind
from domain.work.outcome import Failed, Succeeded
from domain.work.progress import NO_PROGRESS, progress_of
from domain.work.status import WorkStatus
from tests.contracts.harness import LEASE, WorkPorts

EVERYTHING = ListFilter()
MONTH = timedelta(days=30)


def test_the_list_is_newest_request_first_and_paged(ports: WorkPorts) -> None:
    ids = [ports.enqueue() for _ in range(5)]
    ids.reverse()
    page = ports.reader.page(EVERYTHING, offset=0, limit=2, count_up_to=100)
    assert [each.item.id for each in page.items] == ids[:2]
    assert (page.total, page.total_is_capped) == (5, False)
    page = ports.reader.page(EVERYTHING, offset=4, limit=2, count_up_to=100)
    assert [each.item.id for each in page.items] == ids[4:]
    page = ports.reader.page(EVERYTHING, offset=6, limit=2, count_up_to=100)
    assert (list(page.items), page.total) == ([], 5)


@pytest.mark.parametrize(("cap", "total", "capped"), [(5, 5, False), (4, 4, True), (6, 5, False)])
def test_the_total_is_exact_up_to_its_cap(
    ports: WorkPorts, cap: int, total: int, capped: bool
) -> None:
    for _ in range(5):
        ports.enqueue()
    page = ports.reader.page(EVERYTHING, offset=0, limit=1, count_up_to=cap)
    assert (page.total, page.total_is_capped) == (total, capped)


def test_filters_on_several_statuses_and_kinds(ports: WorkPorts) -> None:
    config = ports.add_config()
    cleanup = ports.enqueue(WorkKind.TOKEN_CLEANUP)
    crawl = ports.enqueue(WorkKind.CRAWL, scope=config)
    ports.claim()
    retention = ports.enqueue(WorkKind.WORK_ITEM_RETENTION)

    def ids(which: ListFilter) -> set[object]:
        page = ports.reader.page(which, offset=0, limit=10, count_up_to=10)
        assert page.total == len(page.items)
        return {each.item.id for each in page.items}

    queued, busy = frozenset({WorkStatus.QUEUED}), frozenset({WorkStatus.RUNNING})
    assert ids(ListFilter(statuses=queued)) == {crawl, retention}
    assert ids(ListFilter(statuses=queued | busy)) == {cleanup, crawl, retention}
    assert ids(ListFilter(kinds=frozenset({"Crawl", "TokenCleanup"}))) == {cleanup, crawl}
    assert ids(ListFilter(kinds=frozenset({"Crawl"}), statuses=busy)) == set()


def test_filters_on_several_scopes_and_on_none(ports: WorkPorts) -> None:
    first, second, third = (ports.add_config() for _ in range(3))
    mine = {
        config: ports.enqueue(WorkKind.CRAWL, scope=config) for config in (first, second, third)
    }
    unscoped = ports.enqueue(WorkKind.TOKEN_CLEANUP)

    def ids(*scopes: UUID | None) -> list[UUID]:
        page = ports.reader.page(
            ListFilter(scopes=frozenset(scopes)), offset=0, limit=10, count_up_to=10
        )
        assert page.total == len(page.items)
        return [each.item.id for each in page.items]

    assert ids(second) == [mine[second]]
    assert ids(first, third) == [mine[third], mine[first]]
    assert ids(None) == [unscoped]
    assert ids(None, third) == [unscoped, mine[third]]
    queued = ListFilter(scopes=frozenset({second}), statuses=frozenset({WorkStatus.RUNNING}))
    assert ports.reader.page(queued, offset=0, limit=1, count_up_to=1).total == 0


def test_pages_of_several_kinds_and_statuses_are_one_list(ports: WorkPorts) -> None:
    kinds = [WorkKind.TOKEN_CLEANUP, WorkKind.WORK_ITEM_RETENTION, WorkKind.CRAWL]
    asked = [(kind, ports.enqueue(kind)) for _ in range(4) for kind in kinds]
    cancelled = {ports.canceller.cancel(item) and item for _, item in asked[::2]}
    ports.claim()  # the oldest that still waits, a retention
    wanted = [
        item
        for place, (kind, item) in enumerate(asked)
        if kind is not WorkKind.CRAWL and place != 1
    ]
    which = ListFilter(
        kinds=frozenset({"TokenCleanup", "WorkItemRetention"}),
        statuses=frozenset({WorkStatus.QUEUED, WorkStatus.CANCELLED}),
    )
    pages = [ports.reader.page(which, offset=at, limit=3, count_up_to=99) for at in (0, 3, 6, 9)]
    assert [each.item.id for page in pages for each in page.items] == wanted[::-1]
    assert {page.total for page in pages} == {7}
    assert cancelled & set(wanted)


def test_the_cursor_is_the_newest_change_of_all_items_whatever_the_filter(
    ports: WorkPorts,
) -> None:
    nothing = ports.reader.page(EVERYTHING, offset=0, limit=1, count_up_to=1)
    assert (list(nothing.items), nothing.total) == ([], 0)
    assert abs(nothing.cursor - nothing.server_time) < timedelta(seconds=1)
    ports.enqueue()
    tag = ports.claimed()
    ports.enqueue(WorkKind.WORK_ITEM_RETENTION)
    ports.execution.heartbeat(tag, progress_of(1, None, None), LEASE)
    which = ListFilter(kinds=frozenset({"WorkItemRetention"}))
    page = ports.reader.page(which, offset=0, limit=1, count_up_to=10)
    assert page.cursor == ports.item(tag.item_id).updated_at
    assert abs(page.server_time - ports.now()) < timedelta(seconds=5)


def test_a_list_shows_a_short_error_and_the_detail_the_whole(ports: WorkPorts) -> None:
    ports.enqueue()
    tag = ports.claimed()
    ports.execution.finish(tag, Failed("x" * 501), NO_PROGRESS)
    [listed] = ports.reader.page(EVERYTHING, offset=0, limit=1, count_up_to=1).items
    assert listed.item.error == "x" * 500
    assert ports.item(tag.item_id).error == "x" * 501


def test_changes_come_in_order_and_each_item_as_it_is_now(ports: WorkPorts) -> None:
    first, second = ports.enqueue(), ports.enqueue()
    ports.claim()
    batch = ports.changes.newest(10)
    assert [change.item_id for change in batch.changes] == [second, first]
    newest = batch.changes[-1]
    assert newest.item is not None
    assert newest.item.item.status is WorkStatus.RUNNING
    assert newest.changed_at == ports.item(first).updated_at
    assert batch.is_complete


def test_changes_since_an_instant_leave_out_that_instant(ports: WorkPorts) -> None:
    first, second = ports.enqueue(), ports.enqueue()
    instant = ports.item(first).updated_at
    assert [c.item_id for c in ports.changes.since(instant, 10).changes] == [second]
    before = instant - timedelta(microseconds=1)
    assert [c.item_id for c in ports.changes.since(before, 10).changes] == [first, second]


def test_of_too_many_changes_the_newest_are_kept(ports: WorkPorts) -> None:
    ids = [ports.enqueue() for _ in range(4)]
    for batch in (ports.changes.newest(2), ports.changes.since(ports.now() - MONTH, 2)):
        assert [change.item_id for change in batch.changes] == ids[2:]
        assert not batch.is_complete
    assert ports.changes.newest(4).is_complete


def test_the_leases_are_those_of_the_running_items(ports: WorkPorts) -> None:
    ports.enqueue()
    ports.enqueue()
    tag = ports.claimed()
    leases = ports.changes.newest(1).leases
    assert leases == {tag.item_id: ports.item(tag.item_id).lease_until}


def test_an_unfinished_item_that_is_gone_is_told_and_a_finished_one_is_not(
    ports: WorkPorts,
) -> None:
    config = ports.add_config()
    ports.enqueue(WorkKind.CRAWL, scope=config)
    ports.execution.finish(ports.claimed(), Succeeded({}), NO_PROGRESS)
    ports.enqueue(WorkKind.CRAWL, scope=config)
    busy = ports.claimed().item_id
    waiting = ports.enqueue(WorkKind.CRAWL, scope=config)
    before = ports.reader.page(EVERYTHING, offset=0, limit=1, count_up_to=1).cursor
    ports.advance(timedelta(seconds=1))
    ports.delete_config(config)
    batch = ports.changes.newest(10)
    assert {(change.item_id, change.item) for change in batch.changes} == {
        (busy, None),
        (waiting, None),
    }
    page = ports.reader.page(EVERYTHING, offset=0, limit=1, count_up_to=1)
    assert page.total == 0
    assert page.cursor > before
    assert page.cursor == max(change.changed_at for change in batch.changes)


def purge_claim(ports: WorkPorts) -> AttemptTag:
    ports.enqueue(WorkKind.WORK_ITEM_RETENTION)
    return ports.claimed()


def test_a_purge_takes_old_finished_items_in_batches_and_nothing_else(ports: WorkPorts) -> None:
    old = []
    for _ in range(3):
        old.append(ports.enqueue())
        ports.execution.finish(ports.claimed(), Succeeded({}), NO_PROGRESS)
    ports.advance(MONTH + timedelta(minutes=1))
    recent = ports.enqueue()
    ports.execution.finish(ports.claimed(), Succeeded({}), NO_PROGRESS)
    ancient_but_waiting = ports.enqueue("FromANewerRelease")
    tag = purge_claim(ports)

    first = ports.purger.purge(tag, older_than=MONTH, after=None, most=2)
    assert (first.items, first.rows) == (2, 0)
    assert first.position is not None
    second = ports.purger.purge(tag, older_than=MONTH, after=first.position, most=2)
    assert (second.items, second.position) == (1, None)
    assert [item_id for item_id in old if ports.reader.get(item_id)] == []
    assert all(ports.reader.get(each) for each in (recent, ancient_but_waiting, tag.item_id))


def test_a_purge_takes_old_notes_of_removals_along(ports: WorkPorts) -> None:
    config = ports.add_config()
    ports.enqueue(WorkKind.CRAWL, scope=config)
    ports.delete_config(config)
    ports.advance(MONTH + timedelta(minutes=1))
    purged = ports.purger.purge(purge_claim(ports), older_than=MONTH, after=None, most=10)
    assert (purged.items, purged.rows) == (0, 1)
    assert [each for each in ports.changes.newest(10).changes if each.item is None] == []


def test_a_purge_without_a_claim_deletes_nothing(ports: WorkPorts) -> None:
    old = ports.enqueue()
    ports.execution.finish(ports.claimed(), Succeeded({}), NO_PROGRESS)
    ports.advance(MONTH + timedelta(minutes=1))
    tag = purge_claim(ports)
    ports.execution.release(tag, None)
    with pytest.raises(ClaimLost):
        ports.purger.purge(tag, older_than=MONTH, after=None, most=10)
    with pytest.raises(ClaimLost):
        ports.purger.purge(
            AttemptTag(item_id=uuid4(), attempt=1), older_than=MONTH, after=None, most=10
        )
    assert ports.reader.get(old) is not None
