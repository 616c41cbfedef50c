"""A checker that can't fail is worth nothing: every promise is broken once, and each is noticed."""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

import pytest

from tests.chaos import histories as h
from tests.chaos.checker import breaches_at_end, breaches_so_far
from tests.chaos.history import (
    ApiAnswer,
    Asked,
    CancelAnswer,
    Ending,
    FaultRecord,
    HostExit,
    Item,
    LeaseLook,
    ResultRow,
)
from tests.chaos.plan import FaultKind

Break = Callable[[Ending], None]


def test_a_run_that_kept_every_promise_has_no_breach() -> None:
    assert breaches_at_end(h.good()) == []
    assert breaches_so_far(h.good()) == []


def lost(ending: Ending) -> None:
    ending.asked = [*ending.asked, Asked(at=1000.0, id=UUID(int=500))]


def gone(ending: Ending) -> None:
    ending.items = [item for item in ending.items if item.id != h.PLAIN]
    ending.asked = [Asked(at=1000.0, id=h.PLAIN)]


def ended_twice(ending: Ending) -> None:
    h.added(ending, h.PLAIN, status="Failed", old_status="Running", error="attempt 1 was to fail")


def finished_changed(ending: Ending) -> None:
    h.added(ending, h.PLAIN, status="Queued")


def claimed_without_a_count(ending: Ending) -> None:
    h.rewritten(ending, h.STALLED, 3, attempt=1)


def started_after_a_cancel(ending: Ending) -> None:
    h.rewritten(ending, h.STALLED, 3, cancel_requested=True)


def cancel_forgotten(ending: Ending) -> None:
    h.rewritten(ending, h.STALLED, 2, cancel_requested=True)


def old_attempts_result(ending: Ending) -> None:
    h.rewritten(ending, h.STALLED, -1, result={"attempt": 1, "rows": 1})


def old_attempts_note(ending: Ending) -> None:
    h.rewritten(ending, h.STALLED, -1, note="attempt 1")


def live_lease_taken(ending: Ending) -> None:
    h.rewritten(ending, h.STALLED, 2, old_lease_until=1006.0)


def two_stalls_at_once(ending: Ending) -> None:
    h.rewritten(ending, h.STALLED, 2, stalls=2)


def death_without_a_stall(ending: Ending) -> None:
    h.rewritten(ending, h.KILLER, 2, stalls=0)


def release_with_a_stall(ending: Ending) -> None:
    h.rewritten(ending, h.RELEASED, 2, stalls=1)


def release_without_a_reason(ending: Ending) -> None:
    ending.faults = [fault for fault in ending.faults if fault.kind is not FaultKind.STOP]
    ending.expected = frozenset()
    ending.exits = []


def given_up_early(ending: Ending) -> None:
    h.rewritten(ending, h.KILLER, 4, status="Failed", error="stalled: 2 claims died")


def never_given_up(ending: Ending) -> None:
    h.rewritten(ending, h.KILLER, -1, status="Queued", error=None)


def superseded_by_nobody(ending: Ending) -> None:
    h.rewritten(ending, h.TWIN, 0, key="other")


def superseded_by_one_that_ran(ending: Ending) -> None:
    h.rewritten(ending, h.TWIN, 1, at=1014.0, statement_at=1013.9, committed_at=1014.1)


def attempt_began_twice(ending: Ending) -> None:
    ending.ledger = [*ending.ledger, replace(ending.ledger[0], line=900)]


def run_without_a_claim(ending: Ending) -> None:
    ending.ledger = [*ending.ledger, replace(ending.ledger[0], line=900, attempt=7)]


def fenced_row(ending: Ending) -> None:
    ending.rows = [*ending.rows, ResultRow(item=h.STALLED, attempt=1, row=1, at=1004.5)]


def row_missing(ending: Ending) -> None:
    ending.rows = [row for row in ending.rows if row.item != h.PLAIN]


def success_without_an_end(ending: Ending) -> None:
    ending.ledger = [line for line in ending.ledger if line.event != "end"]


def failed_for_nothing(ending: Ending) -> None:
    h.rewritten(ending, h.PLAIN, -1, status="Failed", result=None, error="OSError: no")


def success_of_a_killer(ending: Ending) -> None:
    h.rewritten(ending, h.PLAIN, -1, act="die")


def cancelled_unasked(ending: Ending) -> None:
    h.rewritten(ending, h.PLAIN, -1, status="Cancelled")


def cancel_not_heard(ending: Ending) -> None:
    for number in (-2, -1):
        h.rewritten(ending, h.CANCELLED, number, act="work")
    h.rewritten(ending, h.CANCELLED, -1, status="Succeeded", at=1005.0)


def left_running(ending: Ending) -> None:
    h.rewritten(ending, h.PLAIN, -1, status="Running", result=None)
    ending.items = [
        replace(item, status="Running", result=None) if item.id == h.PLAIN else item
        for item in ending.items
    ]


def changed_unseen(ending: Ending) -> None:
    ending.items = [
        replace(item, stalls=2) if item.id == h.PLAIN else item for item in ending.items
    ]


def gap(ending: Ending) -> None:
    h.rewritten(ending, h.PLAIN, -1, old_stalls=1, stalls=1)


def first_row_running(ending: Ending) -> None:
    h.rewritten(ending, h.PLAIN, 0, status="Running", attempt=1)


def lease_left(ending: Ending) -> None:
    ending.looks = [LeaseLook(at=1100.0, expired=1)]


def nobody_looked(ending: Ending) -> None:
    ending.looks = [LeaseLook(at=1061.0, expired=0)]


def cancel_lied(ending: Ending) -> None:
    ending.cancels = [CancelAnswer(item=h.PLAIN, status=200, shown_status="Cancelled")]


def stream_missed(ending: Ending) -> None:
    ending.streamed = {id_: item for id_, item in ending.streamed.items() if id_ != h.PLAIN}


def stream_kept(ending: Ending) -> None:
    deleted = Item(id=h.DELETED, status="Running", attempt=1, stalls=0)
    ending.streamed = {**ending.streamed, h.DELETED: deleted}


def slower(ending: Ending) -> None:
    for item in h.STREAK[8:]:
        h.rewritten(ending, item, -1, at=1300.0)


def claimed_later(ending: Ending) -> None:
    for number, item in enumerate(h.STREAK[8:], 8):
        late = 1203.0 + number
        h.rewritten(ending, item, 1, at=late, statement_at=late - 0.001, committed_at=late)


def never_drained(ending: Ending) -> None:
    for item in h.STREAK[:3]:
        for number in range(3):
            h.rewritten(ending, item, number, scope=item)
        h.rewritten(ending, item, 1, at=1215.0, statement_at=1214.999, committed_at=1215.001)
        h.rewritten(ending, item, 2, at=1215.5)
    ending.changes = sorted(ending.changes, key=lambda change: change.at)
    last = FaultRecord(kind=FaultKind.FREEZE, target=0, began=1202.5, ended=1203.2)
    ending.faults = [*ending.faults, last]


def a_worker_idle(ending: Ending) -> None:
    ending.ledger = [
        replace(line, pid=line.pid or 1) if line.at > 1208 else line for line in ending.ledger
    ]


def coalesced_too_late(ending: Ending) -> None:
    ending.asked = [Asked(at=1016.5, id=h.TWIN, coalesced=True)]


def unnoticed(ending: Ending) -> None:
    ending.looks = [LeaseLook(at=1030.0, expired=1, longest=4.0)]


def outcome_never_written(ending: Ending) -> None:
    h.rewritten(ending, h.PLAIN, -1, status="Running", result=None)


def noisy(ending: Ending) -> None:
    ending.noise = ["ERROR:  duplicate key value violates unique constraint"]


def no_fault(ending: Ending) -> None:
    ending.expected = frozenset(FaultKind)


def answered(**more: object) -> Break:
    values = {"what": "GET x", "began": 1001.0, "ended": 1001.1, "status": 500, **more}

    def breaks(ending: Ending) -> None:
        ending.answers = [ApiAnswer(**values)]  # type: ignore[arg-type]  # by name

    return breaks


def exited(**more: object) -> Break:
    values = {"host": "worker-0", "at": 1001.0, "status": 1, **more}

    def breaks(ending: Ending) -> None:
        ending.exits = [HostExit(**values)]  # type: ignore[arg-type]  # by name

    return breaks


@pytest.mark.parametrize(
    ("break_it", "rule"),
    [
        (lost, "no item lost"),
        (gone, "no item lost"),
        (left_running, "no item left"),
        (changed_unseen, "the audit is whole"),
        (coalesced_too_late, "coalesced with a waiting item"),
        (row_missing, "the finished attempt's rows are seen"),
        (lease_left, "no lease left to run out"),
        (nobody_looked, "no lease left to run out"),
        (cancel_lied, "a cancel's answer is true"),
        (h.stream_behind, "the stream ends with the true state"),
        (stream_missed, "the stream ends with the true state"),
        (stream_kept, "the stream ends with the true state"),
        (slower, "full throughput"),
        (claimed_later, "claimed as soon as before"),
        (never_drained, "recovered in time"),
        (a_worker_idle, "every Worker works"),
        (no_fault, "every fault happens"),
    ],
)
def test_what_is_wrong_at_the_end_is_noticed(break_it: Break, rule: str) -> None:
    ending = h.good()
    break_it(ending)
    assert rule in h.rules(breaches_at_end(ending))


@pytest.mark.parametrize(
    ("break_it", "rule"),
    [
        (first_row_running, "began queued"),
        (gap, "no gap"),
        (ended_twice, "one terminal write"),
        (finished_changed, "legal step"),
        (claimed_without_a_count, "a claim counts the attempt, nothing else does"),
        (started_after_a_cancel, "no start after a cancel"),
        (cancel_forgotten, "a cancel is never lost"),
        (cancel_not_heard, "a cancel is heard"),
        (old_attempts_result, "a fenced attempt writes nothing"),
        (old_attempts_note, "a fenced attempt writes nothing"),
        (live_lease_taken, "stalls counted right"),
        (two_stalls_at_once, "one stall at a time"),
        (death_without_a_stall, "stalls counted right"),
        (release_with_a_stall, "stalls counted right"),
        (release_without_a_reason, "stalls counted right"),
        (given_up_early, "given up at the limit"),
        (never_given_up, "given up at the limit"),
        (superseded_by_nobody, "superseded by a waiting twin"),
        (superseded_by_one_that_ran, "superseded by a waiting twin"),
        (attempt_began_twice, "an attempt begins once"),
        (run_without_a_claim, "no run without a claim"),
        (fenced_row, "a fenced attempt writes no result row"),
        (success_without_an_end, "a success was run to its end"),
        (failed_for_nothing, "the right outcome"),
        (success_of_a_killer, "the right outcome"),
        (cancelled_unasked, "the right outcome"),
        (h.out_of_order, "first in, first out in a scope"),
        (unnoticed, "recovered within two polls"),
        (h.outcome_in_hand, "an outcome in hand is written"),
        (outcome_never_written, "an outcome in hand is written"),
        (noisy, "nothing of it reaches a log as an error"),
        (answered(), "no error of the server's but 503"),
        (answered(status=503), "a 503 says when to come again"),
        (answered(status=200, ended=1011.5), "the API answers in time"),
        (answered(status=None, reason="timed out"), "the API answers"),
        (exited(), "no host dies"),
        (exited(told_at=1000.0, told=FaultKind.STOP), "a host that is told to stop exits with 0"),
        (
            exited(told_at=990.0, told=FaultKind.STOP, status=0),
            "a host that is told to stop does so in time",
        ),
    ],
)
def test_what_is_wrong_at_any_time_is_noticed_before_the_end(break_it: Break, rule: str) -> None:
    ending = h.good()
    break_it(ending)
    assert rule in h.rules(breaches_so_far(ending))
