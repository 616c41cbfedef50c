"""What the checker lets pass, since nobody could have done better."""

import pytest

from tests.chaos import histories as h
from tests.chaos.checker import breaches_at_end, breaches_so_far
from tests.chaos.history import FaultRecord
from tests.chaos.plan import FaultKind


@pytest.mark.parametrize(
    "excuse",
    [
        FaultRecord(kind=FaultKind.SILENCE, target=0, began=1190.0, ended=1201.0),
        FaultRecord(kind=FaultKind.BACKENDS, target=0, began=1200.0, kills=[1201.6]),
    ],
)
def test_an_item_that_may_have_been_held_by_a_session_that_died_was_not_passed_over(
    excuse: FaultRecord,
) -> None:
    ending = h.good()
    h.out_of_order(ending)
    ending.faults = [*ending.faults, excuse]
    assert "first in, first out in a scope" not in h.rules(breaches_so_far(ending))


def test_claims_at_the_same_time_may_take_two_items_in_any_order() -> None:
    ending = h.good()
    h.out_of_order(ending)
    h.rewritten(ending, h.STREAK[0], 1, statement_at=1201.505)
    assert "first in, first out in a scope" not in h.rules(breaches_so_far(ending))


def test_a_claim_is_not_held_to_an_order_that_is_not_known_yet() -> None:
    ending = h.good()
    h.out_of_order(ending)
    ending.order_until = 1201.0
    assert "first in, first out in a scope" not in h.rules(breaches_so_far(ending))


def test_an_end_that_a_deletion_followed_at_once_need_not_be_told() -> None:
    ending = h.good()
    h.added(ending, h.PLAIN, status=None)
    ending.items = [item for item in ending.items if item.id != h.PLAIN]
    ending.ledger = [line for line in ending.ledger if line.item != h.PLAIN]
    h.stream_behind(ending)
    assert breaches_at_end(ending) == []
    for at, rule in ((1036.0, {"the stream ends with the true state"}), (1061.0, set())):
        h.rewritten(ending, h.PLAIN, -2, at=at - (3 if at < 1040 else 21))
        h.rewritten(ending, h.PLAIN, -1, at=at)
        assert h.rules(breaches_at_end(ending)) == rule


def test_an_outcome_may_wait_for_the_server_to_come_back() -> None:
    ending = h.good()
    h.outcome_in_hand(ending)
    ending.faults = [
        *ending.faults,
        FaultRecord(kind=FaultKind.READ_ONLY, target=0, began=1001.0, ended=1007.0),
    ]
    assert breaches_so_far(ending) == []
