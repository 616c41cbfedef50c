"""An outcome and the next claim in one transaction: what each of them promises, it keeps."""

from datetime import timedelta
from uuid import uuid4

import pytest

from application.ports.work_item_execution import Answer, Refused, Settled
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.kind import WorkKind
from domain.work.outcome import Failed, Succeeded
from domain.work.progress import NO_PROGRESS, progress_of
from domain.work.status import WorkStatus
from tests.contracts.harness import LEASE, WorkPorts, claim_request


def move_on(
    ports: WorkPorts, tag: AttemptTag, outcome: Succeeded | Failed | None = None
) -> tuple[Answer, WorkItem | None]:
    return ports.execution.finish_and_claim(
        tag, outcome or Succeeded({"n": 1}), progress_of(2, 3, "n"), claim_request(worker="w@here")
    )


def in_hand(ports: WorkPorts) -> AttemptTag:
    ports.enqueue()
    return ports.claimed()


def test_a_success_is_stored_and_the_oldest_that_waits_is_claimed(ports: WorkPorts) -> None:
    tag = in_hand(ports)
    oldest, newer = ports.enqueue(), ports.enqueue()
    answer, item = move_on(ports, tag)
    ended = ports.item(tag.item_id)
    assert answer == Settled(status=WorkStatus.SUCCEEDED)
    assert (ended.status, ended.result) == (WorkStatus.SUCCEEDED, {"n": 1})
    assert ended.progress == progress_of(2, 3, "n")
    assert ended.finished_at is not None
    assert ended.lease_until is None
    assert item == ports.item(oldest)
    assert item is not None
    assert (item.status, item.attempt, item.claimed_by) == (WorkStatus.RUNNING, 1, "w@here")
    assert item.lease_until is not None
    assert abs(item.lease_until - ports.now() - LEASE) < timedelta(seconds=5)
    assert ports.item(newer).status is WorkStatus.QUEUED


def test_a_failure_is_stored_and_the_next_is_claimed(ports: WorkPorts) -> None:
    tag = in_hand(ports)
    waiting = ports.enqueue()
    answer, item = move_on(ports, tag, Failed("broken"))
    ended = ports.item(tag.item_id)
    assert answer == Settled(status=WorkStatus.FAILED)
    assert (ended.status, ended.error, ended.result) == (WorkStatus.FAILED, "broken", None)
    assert item == ports.item(waiting)


def test_where_nothing_waits_the_outcome_is_written_all_the_same(ports: WorkPorts) -> None:
    tag = in_hand(ports)
    assert move_on(ports, tag) == (Settled(status=WorkStatus.SUCCEEDED), None)
    assert ports.item(tag.item_id).status is WorkStatus.SUCCEEDED


def test_only_what_was_asked_for_is_claimed(ports: WorkPorts) -> None:
    anna = ports.add_user()
    mine, other = ports.add_config(anna), ports.add_config()
    tag = in_hand(ports)
    ports.enqueue(WorkKind.CRAWL, scope=other)
    ports.enqueue(WorkKind.TOKEN_CLEANUP)
    hers = ports.enqueue(WorkKind.CRAWL, scope=mine)
    request = claim_request(anna, kinds=(WorkKind.CRAWL,))
    _, item = ports.execution.finish_and_claim(tag, Succeeded({}), NO_PROGRESS, request)
    assert item == ports.item(hers)


def test_a_zombies_outcome_changes_nothing_and_it_still_gets_the_next_item(
    ports: WorkPorts,
) -> None:
    zombie = in_hand(ports)
    ports.expire()
    ports.execution.recover(zombie.item_id, stall_limit=3)
    ports.claimed()
    before = ports.item(zombie.item_id)
    waiting = ports.enqueue()
    answer, item = move_on(ports, zombie)
    assert answer is Refused.FENCED_OFF
    assert ports.item(zombie.item_id) == before
    assert item == ports.item(waiting)


def test_the_outcome_of_an_item_that_is_gone_is_refused_and_the_next_is_claimed(
    ports: WorkPorts,
) -> None:
    waiting = ports.enqueue()
    answer, item = move_on(ports, AttemptTag(item_id=uuid4(), attempt=1))
    assert answer is Refused.UNKNOWN
    assert item == ports.item(waiting)


@pytest.mark.parametrize("outcome", [Succeeded({"n": 1}), Failed("broken")])
def test_after_an_answer_that_was_lost_finishing_says_that_it_was_written(
    ports: WorkPorts, outcome: Succeeded | Failed
) -> None:
    tag = in_hand(ports)
    written, _ = move_on(ports, tag, outcome)
    assert ports.execution.finish(tag, outcome, NO_PROGRESS) == written
    assert move_on(ports, tag, outcome) == (written, None)


def test_what_is_given_back_meanwhile_goes_before_newer_items(ports: WorkPorts) -> None:
    first, tag = in_hand(ports), in_hand(ports)
    ports.enqueue()
    ports.execution.release(first, None)
    _, item = move_on(ports, tag)
    assert item is not None
    assert item.tag() == AttemptTag(item_id=first.item_id, attempt=2)
