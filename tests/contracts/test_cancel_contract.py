"""Cancelling: one update for both states, and a truthful answer."""

from uuid import uuid4

from application.ports.work_item_canceller import (
    AlreadyFinished,
    CancelledAtOnce,
    CancelRequested,
)
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from domain.work.status import WorkStatus
from tests.contracts.harness import WorkPorts


def test_a_queued_item_ends_at_once_and_never_starts(ports: WorkPorts) -> None:
    item_id = ports.enqueue()
    answer = ports.canceller.cancel(item_id)
    assert isinstance(answer, CancelledAtOnce)
    assert answer.item == ports.item(item_id)
    assert answer.item.status is WorkStatus.CANCELLED
    assert answer.item.finished_at is not None
    assert answer.item.cancel_requested_at is None
    assert ports.claim() is None


def test_a_running_item_is_asked_and_goes_on(ports: WorkPorts) -> None:
    item_id = ports.enqueue()
    ports.claim()
    before = ports.item(item_id)
    answer = ports.canceller.cancel(item_id)
    assert isinstance(answer, CancelRequested)
    assert answer.item == ports.item(item_id)
    assert answer.item.status is WorkStatus.RUNNING
    assert answer.item.cancel_requested_at is not None
    assert answer.item.updated_at > before.updated_at
    assert answer.item.lease_until == before.lease_until


def test_asked_again_the_first_requests_time_stays(ports: WorkPorts) -> None:
    item_id = ports.enqueue()
    ports.claim()
    first = ports.canceller.cancel(item_id)
    second = ports.canceller.cancel(item_id)
    assert isinstance(first, CancelRequested)
    assert second == first


def test_a_finished_item_is_shown_as_it_is(ports: WorkPorts) -> None:
    item_id = ports.enqueue()
    ports.execution.finish(ports.claimed(), Succeeded({}), NO_PROGRESS)
    before = ports.item(item_id)
    assert ports.canceller.cancel(item_id) == AlreadyFinished(before)
    assert ports.item(item_id) == before


def test_an_unknown_item_has_no_answer(ports: WorkPorts) -> None:
    assert ports.canceller.cancel(uuid4()) is None


def test_a_cancel_after_the_hand_back_ends_the_item_at_once(ports: WorkPorts) -> None:
    ports.enqueue()
    tag = ports.claimed()
    ports.execution.release(tag, None)
    assert isinstance(ports.canceller.cancel(tag.item_id), CancelledAtOnce)
