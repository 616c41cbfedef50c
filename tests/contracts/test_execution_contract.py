"""Sections 3, 6 and 7: heartbeat, outcomes, release and recovery, each fenced."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from application.ports.work_item_execution import Answer, Beat, Refused, Settled
from domain.work.attempt import AttemptTag
from domain.work.outcome import Cancelled, Failed, Succeeded
from domain.work.progress import NO_PROGRESS, progress_of
from domain.work.status import WorkStatus
from tests.contracts.harness import LEASE, WorkPorts

LIMIT = 3
OUTCOMES = [Succeeded({"n": 1}), Failed("broken"), Cancelled({"n": 1})]


def running(ports: WorkPorts, key: str | None = None) -> AttemptTag:
    ports.enqueue(key=key)
    return ports.claimed()


def reclaimed(ports: WorkPorts) -> tuple[AttemptTag, AttemptTag]:
    """A zombie's claim and the one that replaced it."""
    zombie = running(ports)
    ports.expire()
    ports.execution.recover(zombie.item_id, stall_limit=LIMIT)
    return zombie, ports.claimed()


def recover(ports: WorkPorts, item_id: UUID) -> Answer:
    return ports.execution.recover(item_id, stall_limit=LIMIT)


# ---------------------------------------------------------------- heartbeat


def test_a_heartbeat_extends_the_lease_and_stores_the_newest_progress(ports: WorkPorts) -> None:
    tag = running(ports)
    ports.advance(timedelta(seconds=50))
    answer = ports.execution.heartbeat(tag, progress_of(3, 10, "3 found"), LEASE)
    item = ports.item(tag.item_id)
    assert answer == Beat(cancel_requested=False)
    assert item.progress == progress_of(3, 10, "3 found")
    assert item.lease_until is not None
    assert abs(item.lease_until - ports.now() - LEASE) < timedelta(seconds=5)


@pytest.mark.parametrize(
    "progress", [progress_of(4, 10, "a"), progress_of(3, 11, "a"), progress_of(3, 10, "b")]
)
def test_changed_progress_moves_updated_at(ports: WorkPorts, progress: object) -> None:
    tag = running(ports)
    ports.execution.heartbeat(tag, progress_of(3, 10, "a"), LEASE)
    before = ports.item(tag.item_id).updated_at
    ports.execution.heartbeat(tag, progress, LEASE)  # type: ignore[arg-type]
    assert ports.item(tag.item_id).updated_at > before


def test_unchanged_progress_leaves_updated_at_alone(ports: WorkPorts) -> None:
    tag = running(ports)
    ports.execution.heartbeat(tag, progress_of(3, None, "a"), LEASE)
    before = ports.item(tag.item_id)
    ports.execution.heartbeat(tag, progress_of(3, None, "a"), 2 * LEASE)
    after = ports.item(tag.item_id)
    assert after.updated_at == before.updated_at
    assert after.lease_until is not None
    assert before.lease_until is not None
    assert after.lease_until > before.lease_until


def test_a_heartbeat_reads_the_cancel_request(ports: WorkPorts) -> None:
    tag = running(ports)
    ports.canceller.cancel(tag.item_id)
    assert ports.execution.heartbeat(tag, NO_PROGRESS, LEASE) == Beat(cancel_requested=True)


def test_a_zombies_heartbeat_changes_nothing(ports: WorkPorts) -> None:
    zombie, _ = reclaimed(ports)
    before = ports.item(zombie.item_id)
    assert ports.execution.heartbeat(zombie, progress_of(9, 9, "z"), LEASE) is Refused.FENCED_OFF
    assert ports.item(zombie.item_id) == before


def test_a_heartbeat_after_the_end_or_of_an_unknown_item_says_so(ports: WorkPorts) -> None:
    tag = running(ports)
    ports.execution.finish(tag, Succeeded({}), NO_PROGRESS)
    assert ports.execution.heartbeat(tag, NO_PROGRESS, LEASE) is Refused.FINISHED
    unknown = AttemptTag(item_id=uuid4(), attempt=1)
    assert ports.execution.heartbeat(unknown, NO_PROGRESS, LEASE) is Refused.UNKNOWN


# ---------------------------------------------------------------- outcomes


def test_success_stores_the_result_and_the_last_progress(ports: WorkPorts) -> None:
    tag = running(ports)
    answer = ports.execution.finish(tag, Succeeded({"deleted": 7}), progress_of(7, 7, None))
    item = ports.item(tag.item_id)
    assert answer == Settled(status=WorkStatus.SUCCEEDED)
    assert (item.status, item.result, item.error) == (WorkStatus.SUCCEEDED, {"deleted": 7}, None)
    assert item.progress == progress_of(7, 7, None)
    assert item.lease_until is None
    assert item.finished_at is not None
    assert item.claimed_by == "all@here"


def test_failure_stores_the_error_keeps_the_progress_and_no_result(ports: WorkPorts) -> None:
    tag = running(ports)
    answer = ports.execution.finish(tag, Failed("ValueError: no"), progress_of(2, 5, "n"))
    item = ports.item(tag.item_id)
    assert answer == Settled(status=WorkStatus.FAILED)
    assert (item.status, item.error, item.result) == (WorkStatus.FAILED, "ValueError: no", None)
    assert item.progress == progress_of(2, 5, "n")


def test_a_requested_cancel_ends_with_the_partial_result(ports: WorkPorts) -> None:
    tag = running(ports)
    ports.canceller.cancel(tag.item_id)
    answer = ports.execution.finish(tag, Cancelled({"found": 3}), NO_PROGRESS)
    item = ports.item(tag.item_id)
    assert answer == Settled(status=WorkStatus.CANCELLED)
    assert (item.status, item.result) == (WorkStatus.CANCELLED, {"found": 3})
    assert item.cancel_requested_at is not None


def test_nothing_ends_as_cancelled_without_a_request(ports: WorkPorts) -> None:
    tag = running(ports)
    assert ports.execution.finish(tag, Cancelled(None), NO_PROGRESS) is Refused.NOT_NOW
    assert ports.item(tag.item_id).status is WorkStatus.RUNNING


@pytest.mark.parametrize("outcome", OUTCOMES[:2])
def test_who_finishes_or_breaks_before_noticing_the_cancel_ends_as_that(
    ports: WorkPorts, outcome: Succeeded | Failed
) -> None:
    tag = running(ports)
    ports.canceller.cancel(tag.item_id)
    expected = WorkStatus.SUCCEEDED if isinstance(outcome, Succeeded) else WorkStatus.FAILED
    assert ports.execution.finish(tag, outcome, NO_PROGRESS) == Settled(status=expected)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_zombies_outcome_changes_nothing(
    ports: WorkPorts, outcome: Succeeded | Failed | Cancelled
) -> None:
    zombie, _ = reclaimed(ports)
    before = ports.item(zombie.item_id)
    assert ports.execution.finish(zombie, outcome, NO_PROGRESS) is Refused.FENCED_OFF
    assert ports.item(zombie.item_id) == before


def test_the_same_outcome_again_is_an_answer_that_was_lost(ports: WorkPorts) -> None:
    tag = running(ports)
    for _ in range(2):
        answer = ports.execution.finish(tag, Succeeded({}), NO_PROGRESS)
        assert answer == Settled(status=WorkStatus.SUCCEEDED)
    assert ports.execution.finish(tag, Failed("x"), NO_PROGRESS) is Refused.FINISHED


def test_a_successors_outcome_is_not_mistaken_for_a_zombies_own(ports: WorkPorts) -> None:
    zombie, current = reclaimed(ports)
    ports.execution.finish(current, Succeeded({}), NO_PROGRESS)
    assert ports.execution.finish(zombie, Succeeded({}), NO_PROGRESS) is Refused.FINISHED


def test_a_finished_item_never_changes_again(ports: WorkPorts) -> None:
    tag = running(ports)
    ports.execution.finish(tag, Failed("x"), NO_PROGRESS)
    before = ports.item(tag.item_id)
    ports.execution.finish(tag, Succeeded({}), NO_PROGRESS)
    ports.execution.release(tag, None)
    ports.execution.recover_dead(tag, stall_limit=LIMIT)
    ports.canceller.cancel(tag.item_id)
    assert recover(ports, tag.item_id) is Refused.FINISHED
    assert ports.item(tag.item_id) == before


def test_the_outcome_of_an_item_that_is_gone_is_refused_as_unknown(ports: WorkPorts) -> None:
    config = ports.add_config()
    ports.enqueue("Crawl", scope=config)
    tag = ports.claimed()
    ports.delete_config(config)
    assert ports.execution.finish(tag, Succeeded({}), NO_PROGRESS) is Refused.UNKNOWN
    assert ports.execution.release(tag, None) is Refused.UNKNOWN
    assert ports.execution.recover_dead(tag, stall_limit=LIMIT) is Refused.UNKNOWN
    assert recover(ports, tag.item_id) is Refused.UNKNOWN


# ---------------------------------------------------------------- release


def test_a_release_hands_the_item_back_without_a_stall(ports: WorkPorts) -> None:
    tag = running(ports, key="k")
    assert ports.execution.release(tag, {"n": 1}) == Settled(status=WorkStatus.QUEUED)
    item = ports.item(tag.item_id)
    assert (item.status, item.attempt, item.stalls) == (WorkStatus.QUEUED, 1, 0)
    assert [item.claimed_by, item.started_at, item.lease_until, item.result] == [None] * 4


def test_a_release_after_a_cancel_request_ends_the_item_with_its_partial_result(
    ports: WorkPorts,
) -> None:
    tag = running(ports)
    ports.canceller.cancel(tag.item_id)
    assert ports.execution.release(tag, {"n": 1}) == Settled(status=WorkStatus.CANCELLED)
    item = ports.item(tag.item_id)
    assert (item.stalls, item.result, item.error) == (0, {"n": 1}, None)


def test_a_release_that_meets_a_queued_twin_makes_way_for_it(ports: WorkPorts) -> None:
    tag = running(ports, key="k")
    twin = ports.enqueue(key="k")
    assert ports.execution.release(tag, None) == Settled(status=WorkStatus.CANCELLED)
    item = ports.item(tag.item_id)
    assert (item.error, item.stalls) == (f"superseded by {twin}", 0)
    assert ports.item(twin).status is WorkStatus.QUEUED


def test_a_release_with_a_twin_and_a_cancel_request_ends_as_cancelled_not_superseded(
    ports: WorkPorts,
) -> None:
    tag = running(ports, key="k")
    ports.enqueue(key="k")
    ports.canceller.cancel(tag.item_id)
    ports.execution.release(tag, {"n": 2})
    item = ports.item(tag.item_id)
    assert (item.status, item.error, item.result) == (WorkStatus.CANCELLED, None, {"n": 2})


def test_a_zombies_release_changes_nothing(ports: WorkPorts) -> None:
    zombie, _ = reclaimed(ports)
    before = ports.item(zombie.item_id)
    assert ports.execution.release(zombie, None) is Refused.FENCED_OFF
    assert ports.item(zombie.item_id) == before


def test_a_release_whose_answer_was_lost_is_settled_again(ports: WorkPorts) -> None:
    tag = running(ports)
    ports.execution.release(tag, None)
    assert ports.execution.release(tag, None) == Settled(status=WorkStatus.QUEUED)


# ---------------------------------------------------------------- recovery


def test_only_expired_leases_are_stalled_the_longest_expired_first(ports: WorkPorts) -> None:
    first, second = running(ports), running(ports)
    ports.expire()
    fresh = running(ports)
    assert list(ports.execution.stalled(10)) == [first.item_id, second.item_id]
    assert list(ports.execution.stalled(1)) == [first.item_id]
    assert recover(ports, fresh.item_id) is Refused.NOT_NOW
    assert ports.item(fresh.item_id).status is WorkStatus.RUNNING


def test_a_stalled_item_goes_back_to_the_queue_with_one_stall_more(ports: WorkPorts) -> None:
    tag = running(ports)
    ports.expire()
    assert recover(ports, tag.item_id) == Settled(status=WorkStatus.QUEUED)
    item = ports.item(tag.item_id)
    assert (item.status, item.attempt, item.stalls) == (WorkStatus.QUEUED, 1, 1)
    assert [item.claimed_by, item.started_at, item.lease_until] == [None] * 3


def test_the_third_stall_fails_the_item(ports: WorkPorts) -> None:
    item_id = ports.enqueue()
    for _ in range(3):
        ports.claim(worker="anna@nas")
        ports.expire()
        recover(ports, item_id)
    item = ports.item(item_id)
    assert (item.status, item.stalls, item.attempt) == (WorkStatus.FAILED, 3, 3)
    assert item.error == "stalled: 3 claims died, the last one of anna@nas"
    assert item.finished_at is not None
    assert item.lease_until is None
    assert item.claimed_by == "anna@nas"


def test_a_stall_after_a_cancel_request_ends_as_cancelled_even_at_the_limit(
    ports: WorkPorts,
) -> None:
    item_id = ports.enqueue()
    ports.claim()
    ports.canceller.cancel(item_id)
    ports.expire()
    assert ports.execution.recover(item_id, stall_limit=1) == Settled(status=WorkStatus.CANCELLED)
    item = ports.item(item_id)
    assert (item.stalls, item.error, item.result) == (1, None, None)


def test_a_stall_that_meets_a_queued_twin_makes_way_for_it(ports: WorkPorts) -> None:
    tag = running(ports, key="k")
    twin = ports.enqueue(key="k")
    ports.expire()
    assert recover(ports, tag.item_id) == Settled(status=WorkStatus.CANCELLED)
    item = ports.item(tag.item_id)
    assert (item.error, item.stalls) == (f"superseded by {twin}", 1)
    claimed = ports.claim()
    assert claimed is not None
    assert claimed.id == twin
    assert ports.claim() is None


def test_at_the_limit_a_stall_fails_the_item_although_a_twin_waits(ports: WorkPorts) -> None:
    tag = running(ports, key="k")
    ports.enqueue(key="k")
    ports.expire()
    answer = ports.execution.recover(tag.item_id, stall_limit=1)
    assert answer == Settled(status=WorkStatus.FAILED)


def test_an_item_of_an_unknown_kind_is_recovered_too(ports: WorkPorts) -> None:
    item_id = ports.enqueue("FromANewerRelease")
    ports.claim(kinds=("FromANewerRelease",))
    ports.expire()
    assert list(ports.execution.stalled(10)) == [item_id]
    assert recover(ports, item_id) == Settled(status=WorkStatus.QUEUED)


def test_a_run_that_died_under_its_workers_eyes_stalls_at_once(ports: WorkPorts) -> None:
    tag = running(ports)
    answer = ports.execution.recover_dead(tag, stall_limit=LIMIT)
    assert answer == Settled(status=WorkStatus.QUEUED)
    assert ports.item(tag.item_id).stalls == 1


def test_a_zombie_cannot_declare_its_successors_run_dead(ports: WorkPorts) -> None:
    zombie, _ = reclaimed(ports)
    before = ports.item(zombie.item_id)
    answer = ports.execution.recover_dead(zombie, stall_limit=LIMIT)
    assert answer is Refused.FENCED_OFF
    assert ports.item(zombie.item_id) == before


def test_stalls_belong_to_the_item_and_survive_its_claims(ports: WorkPorts) -> None:
    _, second = reclaimed(ports)
    assert ports.item(second.item_id).stalls == 1
    ports.execution.release(second, None)
    assert ports.item(second.item_id).stalls == 1
