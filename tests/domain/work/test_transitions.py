"""Section 3, row by row: from where, under which guards, with which effects."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from domain.work.attempt import AttemptTag
from domain.work.item import IllegalTransition, Occasion, WorkItem
from domain.work.progress import NO_PROGRESS, Progress
from domain.work.status import WorkStatus
from domain.work.transitions import (
    AFTER_RELEASE,
    AFTER_STALL,
    ON_CANCEL,
    Transition,
    sources_of,
)

ASKED = datetime(2026, 1, 1, 8, tzinfo=UTC)
NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
ITEM, TWIN = UUID(int=1), UUID(int=2)
LEASE = timedelta(seconds=60)
Q, R = WorkStatus.QUEUED, WorkStatus.RUNNING
S, F, C = WorkStatus.SUCCEEDED, WorkStatus.FAILED, WorkStatus.CANCELLED

QUEUED = WorkItem(
    id=ITEM, kind="Crawl", payload={"a": 1}, requested_at=ASKED, updated_at=ASKED, stalls=1
)
RUNNING = replace(
    QUEUED,
    status=R,
    attempt=2,
    claimed_by="anna@nas",
    started_at=ASKED,
    lease_until=NOW - MICROSECOND,
    progress=Progress(done=1, total=2, note="n"),
)
MINE = Occasion(
    now=NOW,
    attempt=2,
    stall_limit=3,
    worker="all@box",
    lease=LEASE,
    progress=Progress(done=2, total=2, note="m"),
    result={"n": 1},
    error="broken",
)
STALL = replace(MINE, attempt=None, stalled=True, result=None)
FINISHED = {"finished_at": NOW, "lease_until": None, "updated_at": NOW}


def item_in(status: WorkStatus) -> WorkItem:
    if status is Q:
        return QUEUED
    if status is R:
        return RUNNING
    return replace(RUNNING, status=status, lease_until=None, finished_at=ASKED)


def with_cancel(item: WorkItem) -> WorkItem:
    return replace(item, cancel_requested_at=ASKED)


# Which item and occasion allow each transition from its one source.
LEGAL = {
    Transition.CLAIM: (Q, MINE, False),
    Transition.HEARTBEAT: (R, MINE, False),
    Transition.SUCCEED: (R, MINE, False),
    Transition.FAIL: (R, MINE, False),
    Transition.END_AS_CANCELLED: (R, MINE, True),
    Transition.RELEASE: (R, MINE, False),
    Transition.RECOVER: (R, STALL, False),
    Transition.GIVE_UP: (R, replace(STALL, stall_limit=2), False),
    Transition.SUPERSEDE: (R, replace(MINE, queued_twin=TWIN), False),
    Transition.END_UNATTENDED: (R, MINE, True),
    Transition.CANCEL_QUEUED: (Q, MINE, False),
    Transition.REQUEST_CANCEL: (R, MINE, False),
}
TARGETS = {
    Transition.CLAIM: R,
    Transition.HEARTBEAT: R,
    Transition.SUCCEED: S,
    Transition.FAIL: F,
    Transition.END_AS_CANCELLED: C,
    Transition.RELEASE: Q,
    Transition.RECOVER: Q,
    Transition.GIVE_UP: F,
    Transition.SUPERSEDE: C,
    Transition.END_UNATTENDED: C,
    Transition.CANCEL_QUEUED: C,
    Transition.REQUEST_CANCEL: R,
}


@pytest.mark.parametrize("status", WorkStatus)
@pytest.mark.parametrize("transition", LEGAL)
def test_a_transition_is_legal_from_its_one_source_only(
    transition: Transition, status: WorkStatus
) -> None:
    source, occasion, cancel = LEGAL[transition]
    item = with_cancel(item_in(status)) if cancel else item_in(status)
    if status is source:
        assert item.apply(transition, occasion).status is TARGETS[transition]
    else:
        with pytest.raises(IllegalTransition) as refused:
            item.apply(transition, occasion)
        assert str(refused.value) == (
            f"work item {ITEM}: {transition} is not allowed while {status}"
        )


def test_nothing_but_the_enqueue_path_makes_an_item() -> None:
    assert sources_of(Transition.ENQUEUE) == frozenset()
    assert sources_of(Transition.CLAIM, Transition.HEARTBEAT) == {Q, R}
    assert not any(item_in(status).allows(Transition.ENQUEUE, MINE) for status in WorkStatus)


def changes(before: WorkItem, after: WorkItem) -> dict[str, object]:
    return {
        name: getattr(after, name)
        for name in WorkItem.__dataclass_fields__
        if getattr(after, name) != getattr(before, name)
    }


def test_a_claim_counts_takes_leases_and_resets_the_progress() -> None:
    waiting = replace(QUEUED, progress=Progress(done=1))
    assert changes(waiting, waiting.apply(Transition.CLAIM, MINE)) == {
        "status": R,
        "attempt": 1,
        "claimed_by": "all@box",
        "started_at": NOW,
        "lease_until": NOW + LEASE,
        "progress": NO_PROGRESS,
        "updated_at": NOW,
    }


def test_a_heartbeat_moves_the_lease_and_stores_the_progress() -> None:
    assert changes(RUNNING, RUNNING.apply(Transition.HEARTBEAT, MINE)) == {
        "lease_until": NOW + LEASE,
        "progress": Progress(done=2, total=2, note="m"),
        "updated_at": NOW,
    }


@pytest.mark.parametrize("progress", [RUNNING.progress, None])
def test_a_heartbeat_without_news_moves_the_lease_alone(progress: Progress | None) -> None:
    beaten = RUNNING.apply(Transition.HEARTBEAT, replace(MINE, progress=progress))
    assert changes(RUNNING, beaten) == {"lease_until": NOW + LEASE}


def test_success_stores_result_and_progress() -> None:
    assert changes(RUNNING, RUNNING.apply(Transition.SUCCEED, MINE)) == {
        "status": S,
        "result": {"n": 1},
        "progress": Progress(done=2, total=2, note="m"),
        **FINISHED,
    }


def test_failure_stores_the_error_and_no_result() -> None:
    assert changes(RUNNING, RUNNING.apply(Transition.FAIL, MINE)) == {
        "status": F,
        "error": "broken",
        "progress": Progress(done=2, total=2, note="m"),
        **FINISHED,
    }


def test_ending_as_cancelled_stores_the_partial_result() -> None:
    asked = with_cancel(RUNNING)
    assert changes(asked, asked.apply(Transition.END_AS_CANCELLED, MINE)) == {
        "status": C,
        "result": {"n": 1},
        "progress": Progress(done=2, total=2, note="m"),
        **FINISHED,
    }


def test_a_release_gives_the_item_back_as_it_was() -> None:
    assert changes(RUNNING, RUNNING.apply(Transition.RELEASE, MINE)) == {
        "status": Q,
        "claimed_by": None,
        "started_at": None,
        "lease_until": None,
        "updated_at": NOW,
    }


def test_recovery_counts_a_stall_and_gives_the_item_back() -> None:
    assert changes(RUNNING, RUNNING.apply(Transition.RECOVER, STALL)) == {
        "status": Q,
        "stalls": 2,
        "claimed_by": None,
        "started_at": None,
        "lease_until": None,
        "updated_at": NOW,
    }


def test_giving_up_names_the_count_and_the_last_worker() -> None:
    given_up = RUNNING.apply(Transition.GIVE_UP, replace(STALL, stall_limit=2))
    assert changes(RUNNING, given_up) == {
        "status": F,
        "stalls": 2,
        "error": "stalled: 2 claims died, the last one of anna@nas",
        **FINISHED,
    }


@pytest.mark.parametrize(("occasion", "stalls"), [(MINE, 1), (STALL, 2)])
def test_superseding_names_the_twin_and_counts_only_a_stall(
    occasion: Occasion, stalls: int
) -> None:
    ended = RUNNING.apply(Transition.SUPERSEDE, replace(occasion, queued_twin=TWIN))
    assert ended.status is C
    assert (ended.error, ended.stalls, ended.result) == (f"superseded by {TWIN}", stalls, None)
    assert (ended.finished_at, ended.lease_until) == (NOW, None)


@pytest.mark.parametrize(("occasion", "stalls", "result"), [(MINE, 1, {"n": 1}), (STALL, 2, None)])
def test_ending_unattended_keeps_a_partial_result_and_counts_only_a_stall(
    occasion: Occasion, stalls: int, result: object
) -> None:
    ended = with_cancel(RUNNING).apply(Transition.END_UNATTENDED, occasion)
    assert (ended.status, ended.stalls, ended.result, ended.error) == (C, stalls, result, None)
    assert (ended.finished_at, ended.lease_until) == (NOW, None)


def test_cancelling_a_queued_item_ends_it_without_a_request() -> None:
    assert changes(QUEUED, QUEUED.apply(Transition.CANCEL_QUEUED, MINE)) == {
        "status": C,
        "finished_at": NOW,
        "updated_at": NOW,
    }


def test_requesting_a_cancel_notes_its_time_once() -> None:
    asked = RUNNING.apply(Transition.REQUEST_CANCEL, MINE)
    assert changes(RUNNING, asked) == {"cancel_requested_at": NOW, "updated_at": NOW}
    assert not asked.allows(Transition.REQUEST_CANCEL, MINE)


@pytest.mark.parametrize(
    "transition",
    [Transition.HEARTBEAT, Transition.SUCCEED, Transition.FAIL, Transition.RELEASE],
)
@pytest.mark.parametrize("attempt", [1, 3, None])
def test_what_the_owner_does_needs_its_attempt(transition: Transition, attempt: int | None) -> None:
    assert not RUNNING.allows(transition, replace(MINE, attempt=attempt))


def test_ending_as_cancelled_needs_the_attempt_and_the_request() -> None:
    assert not RUNNING.allows(Transition.END_AS_CANCELLED, MINE)
    zombie = replace(MINE, attempt=1)
    assert not with_cancel(RUNNING).allows(Transition.END_AS_CANCELLED, zombie)


def test_a_release_needs_no_request_and_no_twin() -> None:
    assert not with_cancel(RUNNING).allows(Transition.RELEASE, MINE)
    assert not RUNNING.allows(Transition.RELEASE, replace(MINE, queued_twin=TWIN))


@pytest.mark.parametrize(
    "transition", [Transition.RECOVER, Transition.SUPERSEDE, Transition.END_UNATTENDED]
)
@pytest.mark.parametrize("lease_until", [NOW, NOW + MICROSECOND])
def test_a_stall_needs_a_lease_that_ran_out(transition: Transition, lease_until: datetime) -> None:
    alive = replace(RUNNING, lease_until=lease_until)
    cancel = transition is Transition.END_UNATTENDED
    twin = TWIN if transition is Transition.SUPERSEDE else None
    alive = with_cancel(alive) if cancel else alive
    assert not alive.allows(transition, replace(STALL, queued_twin=twin))


def test_a_run_that_died_stalls_whatever_the_lease_but_only_its_own() -> None:
    alive = replace(RUNNING, lease_until=NOW + LEASE)
    died = replace(STALL, run_died=True, attempt=2)
    assert alive.allows(Transition.RECOVER, died)
    assert not alive.allows(Transition.RECOVER, replace(died, attempt=1))
    expired_but_anothers = replace(died, attempt=1)
    assert not RUNNING.allows(Transition.RECOVER, expired_but_anothers)


@pytest.mark.parametrize(("limit", "gives_up"), [(1, True), (2, True), (3, False)])
def test_the_stall_limit_decides_between_recovery_and_giving_up(limit: int, gives_up: bool) -> None:
    occasion = replace(STALL, stall_limit=limit)
    assert RUNNING.allows(Transition.GIVE_UP, occasion) is gives_up
    assert RUNNING.allows(Transition.RECOVER, occasion) is not gives_up


def test_recovery_needs_no_request_and_no_twin() -> None:
    assert not with_cancel(RUNNING).allows(Transition.RECOVER, STALL)
    assert not RUNNING.allows(Transition.RECOVER, replace(STALL, queued_twin=TWIN))


def test_superseding_needs_a_twin_and_ending_unattended_a_request() -> None:
    assert not RUNNING.allows(Transition.SUPERSEDE, MINE)
    assert not RUNNING.allows(Transition.END_UNATTENDED, MINE)


def test_only_the_owner_releases_into_a_twin_or_a_cancel() -> None:
    alive = replace(with_cancel(RUNNING), lease_until=NOW + LEASE)
    zombie = replace(MINE, attempt=1, queued_twin=TWIN)
    assert not alive.allows(Transition.SUPERSEDE, zombie)
    assert not alive.allows(Transition.END_UNATTENDED, zombie)


TWINNED = replace(STALL, queued_twin=TWIN)


@pytest.mark.parametrize(
    ("item", "occasion", "expected"),
    [
        (with_cancel(RUNNING), replace(TWINNED, stall_limit=1), C),
        (RUNNING, replace(TWINNED, stall_limit=1), F),
        (RUNNING, TWINNED, C),
        (RUNNING, STALL, Q),
    ],
)
def test_after_a_stall_cancel_goes_before_limit_before_twin_before_the_queue(
    item: WorkItem, occasion: Occasion, expected: WorkStatus
) -> None:
    assert item.apply_first(AFTER_STALL, occasion).status is expected


def test_a_stall_with_cancel_and_twin_is_not_called_superseded() -> None:
    assert with_cancel(RUNNING).apply_first(AFTER_STALL, TWINNED).error is None


@pytest.mark.parametrize(
    ("item", "twin", "error", "expected"),
    [
        (with_cancel(RUNNING), TWIN, None, C),
        (RUNNING, TWIN, f"superseded by {TWIN}", C),
        (RUNNING, None, None, Q),
    ],
)
def test_after_a_release_cancel_goes_before_twin_before_the_queue(
    item: WorkItem, twin: UUID | None, error: str | None, expected: WorkStatus
) -> None:
    settled = item.apply_first(AFTER_RELEASE, replace(MINE, queued_twin=twin))
    assert (settled.status, settled.error) == (expected, error)


def test_one_cancel_serves_both_states_and_no_finished_one() -> None:
    assert QUEUED.apply_first(ON_CANCEL, MINE).status is C
    assert RUNNING.apply_first(ON_CANCEL, MINE).cancel_requested_at == NOW
    with pytest.raises(IllegalTransition) as refused:
        item_in(S).apply_first(ON_CANCEL, MINE)
    assert str(refused.value) == (
        f"work item {ITEM}: request cancel is not allowed while Succeeded"
    )


def test_what_cannot_be_settled_is_refused_by_the_last_of_its_ways() -> None:
    with pytest.raises(IllegalTransition) as refused:
        QUEUED.apply_first(AFTER_STALL, STALL)
    assert str(refused.value) == f"work item {ITEM}: recover is not allowed while Queued"


def test_updated_at_only_moves_forward_when_the_clock_is_stepped_back() -> None:
    ahead = replace(RUNNING, updated_at=NOW + LEASE)
    assert ahead.apply(Transition.SUCCEED, MINE).updated_at == NOW + LEASE + MICROSECOND


def test_an_item_knows_its_claim_and_whether_it_ended() -> None:
    assert RUNNING.tag() == AttemptTag(item_id=ITEM, attempt=2)
    assert [item_in(status).is_finished() for status in (Q, R, S, F, C)] == [
        *(False, False, True, True, True)
    ]
    assert not QUEUED.lease_ran_out(NOW)
