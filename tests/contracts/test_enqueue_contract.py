"""Section 4: one enqueue path, and coalescing of queued items only."""

from datetime import timedelta
from uuid import uuid4

import pytest

from domain.errors import NotFound
from domain.work.kind import WorkKind
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from domain.work.status import WorkStatus
from tests.contracts.harness import WorkPorts, new_item

DAY = timedelta(hours=24)


def test_a_new_item_waits_with_nothing_done(ports: WorkPorts) -> None:
    asker, config = uuid4(), ports.add_config()
    new = new_item(WorkKind.CRAWL, key="crawl:1", scope=config, requested_by=asker)
    answer = ports.queue.enqueue(new)
    item = ports.item(answer.id)
    assert answer.id == new.id
    assert not answer.coalesced
    assert item.status is WorkStatus.QUEUED
    assert (item.kind, item.payload) == ("Crawl", {"kind": "Crawl"})
    assert (item.storage_config_id, item.dedup_key, item.requested_by) == (config, "crawl:1", asker)
    assert (item.attempt, item.stalls) == (0, 0)
    assert [item.claimed_by, item.started_at, item.lease_until, item.finished_at] == [None] * 4
    assert [item.cancel_requested_at, item.result, item.error] == [None] * 3
    assert item.progress == NO_PROGRESS
    assert abs(item.requested_at - ports.now()) < timedelta(seconds=5)


def test_a_second_request_with_the_key_of_a_queued_item_is_that_item(ports: WorkPorts) -> None:
    first = ports.queue.enqueue(new_item(key="k"))
    second = ports.queue.enqueue(new_item(key="k"))
    assert second.id == first.id
    assert second.coalesced


def test_items_without_a_key_or_with_other_keys_are_never_merged(ports: WorkPorts) -> None:
    ids = {ports.enqueue(key=key) for key in (None, None, "a", "b")}
    assert len(ids) == 4


def test_a_running_twin_does_not_coalesce(ports: WorkPorts) -> None:
    first = ports.enqueue(key="k")
    ports.claim()
    before = ports.item(first)
    second = ports.queue.enqueue(new_item(key="k"))
    assert not second.coalesced
    assert second.id != first
    assert ports.item(first) == before


def test_a_finished_twin_does_not_coalesce(ports: WorkPorts) -> None:
    ports.enqueue(key="k")
    ports.execution.finish(ports.claimed(), Succeeded({}), NO_PROGRESS)
    assert not ports.queue.enqueue(new_item(key="k")).coalesced


def test_a_config_that_does_not_exist_is_refused(ports: WorkPorts) -> None:
    missing = uuid4()
    with pytest.raises(NotFound, match=f"storage config {missing} does not exist"):
        ports.queue.enqueue(new_item(WorkKind.CRAWL, key="crawl:x", scope=missing))
    with pytest.raises(NotFound, match=f"storage config {missing} does not exist"):
        ports.queue.enqueue(new_item(WorkKind.CRAWL, scope=missing))


def test_a_callers_transaction_takes_several_items_and_answers_in_their_order(
    ports: WorkPorts,
) -> None:
    waiting = ports.enqueue(key="b")
    items = [new_item(key="c"), new_item(key="b"), new_item(), new_item(key="a")]
    with ports.transactions.begin() as transaction:
        answers = ports.queue.enqueue_within(transaction, items)
    assert [answer.coalesced for answer in answers] == [False, True, False, False]
    assert [a.id for a in answers] == [items[0].id, waiting, items[2].id, items[3].id]
    assert all(ports.item(answer.id).status is WorkStatus.QUEUED for answer in answers)


def test_a_key_that_was_never_seen_is_due(ports: WorkPorts) -> None:
    assert ports.due_work.due({"k": DAY}) == {"k"}
    item = new_item(key="k")
    answer = ports.queue.enqueue_if_due(item, DAY)
    assert answer is not None
    assert answer.id == item.id
    assert not answer.coalesced
    assert ports.item(item.id).status is WorkStatus.QUEUED


def test_a_queued_or_running_key_is_not_due(ports: WorkPorts) -> None:
    ports.enqueue(key="k")
    ports.advance(timedelta(days=3))
    assert ports.due_work.due({"k": DAY}) == frozenset()
    assert ports.queue.enqueue_if_due(new_item(key="k"), DAY) is None
    ports.claim()
    assert ports.due_work.due({"k": DAY}) == frozenset()
    assert ports.queue.enqueue_if_due(new_item(key="k"), DAY) is None


def test_a_key_is_due_again_an_interval_after_its_last_end(ports: WorkPorts) -> None:
    ports.enqueue(key="k")
    ports.execution.finish(ports.claimed(), Succeeded({}), NO_PROGRESS)
    ports.advance(DAY - timedelta(minutes=1))
    assert ports.due_work.due({"k": DAY, "other": DAY}) == {"other"}
    assert ports.queue.enqueue_if_due(new_item(key="k"), DAY) is None
    ports.advance(timedelta(minutes=2))
    assert ports.due_work.due({"k": DAY}) == {"k"}
    assert ports.queue.enqueue_if_due(new_item(key="k"), DAY) is not None


def test_a_cancelled_run_counts_as_the_last_one(ports: WorkPorts) -> None:
    ports.canceller.cancel(ports.enqueue(key="k"))
    assert ports.due_work.due({"k": DAY}) == frozenset()


def test_each_key_has_an_interval_of_its_own(ports: WorkPorts) -> None:
    for key in ("slow", "quick"):
        ports.enqueue(key=key)
        ports.execution.finish(ports.claimed(), Succeeded({}), NO_PROGRESS)
    ports.advance(timedelta(hours=5))
    assert ports.due_work.due({"slow": DAY, "quick": timedelta(hours=4)}) == {"quick"}


def test_a_due_slot_whose_config_is_gone_inserts_nothing(ports: WorkPorts) -> None:
    item = new_item(WorkKind.CRAWL, key="crawl:gone", scope=uuid4())
    assert ports.queue.enqueue_if_due(item, DAY) is None
    assert ports.reader.get(item.id) is None
