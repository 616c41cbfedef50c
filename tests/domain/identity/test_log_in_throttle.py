"""How long whoever guesses passwords waits."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.identity.log_in_throttle import (
    Rule,
    Scope,
    Tally,
    ThrottleRules,
    TooManyAttempts,
    counted,
    longest_wait,
    remembered,
    taken_back,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)


def rule(free: int, first: float = 1, longest: float = 900) -> Rule:
    return Rule(free=free, first=first * SECOND, longest=longest * SECOND, memory=DAY)


RULES = ThrottleRules(
    pair=rule(5), address=rule(50, longest=300), account=rule(20, longest=60), known_for=90 * DAY
)


def tally(failures: int, ago: timedelta = timedelta(0)) -> Tally:
    return Tally(failures=failures, last_failed_at=NOW - ago)


@pytest.mark.parametrize(
    ("failures", "seconds"),
    [
        (0, 0), (1, 0), (4, 0), (5, 1), (6, 2), (7, 4), (8, 8), (13, 256), (14, 512),
        (15, 900), (16, 900), (10_000_000, 900),
    ],
)  # fmt: skip
def test_the_wait_doubles_from_a_second_to_a_quarter_of_an_hour(
    failures: int, seconds: float
) -> None:
    assert rule(5).wait_after(failures) == seconds * SECOND


def test_a_wait_that_fits_exactly_is_not_doubled_again() -> None:
    assert rule(1, longest=4).wait_after(3) == 4 * SECOND
    assert rule(1, first=7, longest=4).wait_after(1) == 4 * SECOND
    assert rule(0).wait_after(0) == SECOND


def test_failures_are_counted_one_by_one_and_stamped() -> None:
    one = counted(None, rule(5), NOW)
    assert one == Tally(failures=1, last_failed_at=NOW)
    later = NOW + HOUR
    assert counted(one, rule(5), later) == Tally(failures=2, last_failed_at=later)


def test_after_a_long_pause_counting_begins_again() -> None:
    assert counted(tally(30, DAY), rule(5), NOW).failures == 1
    assert counted(tally(30, DAY - SECOND), rule(5), NOW).failures == 31
    assert remembered(tally(30, DAY), rule(5), NOW) is None
    assert remembered(tally(30, DAY - SECOND), rule(5), NOW) == tally(30, DAY - SECOND)
    assert remembered(None, rule(5), NOW) is None


@pytest.mark.parametrize(
    ("tallies", "seconds"),
    [
        ({}, 0),
        ({Scope.PAIR: tally(4)}, 0),
        ({Scope.PAIR: tally(7)}, 4),
        ({Scope.PAIR: tally(7, 3 * SECOND)}, 1),
        ({Scope.PAIR: tally(7, 4 * SECOND)}, 0),
        ({Scope.PAIR: tally(7, HOUR)}, 0),
        ({Scope.ADDRESS: tally(49)}, 0),
        ({Scope.ADDRESS: tally(100)}, 300),
        ({Scope.ACCOUNT: tally(19)}, 0),
        ({Scope.ACCOUNT: tally(100)}, 60),
        ({Scope.ACCOUNT: tally(22), Scope.ADDRESS: tally(53), Scope.PAIR: tally(6)}, 8),
        ({Scope.ACCOUNT: tally(22), Scope.ADDRESS: tally(50), Scope.PAIR: tally(9)}, 16),
        # longer ago than anything is remembered
        ({Scope.PAIR: tally(1_000, DAY)}, 0),
        # the clock was set back by an hour
        ({Scope.PAIR: tally(7, -HOUR)}, 4),
    ],
)
def test_the_longest_of_the_waits_counts(tallies: dict[Scope, Tally], seconds: float) -> None:
    assert longest_wait(tallies, RULES, NOW, is_known=False) == seconds * SECOND


def test_where_an_account_logs_in_from_only_the_pair_holds_it_up() -> None:
    attacked = {Scope.ACCOUNT: tally(10_000), Scope.ADDRESS: tally(10_000)}
    assert longest_wait(attacked, RULES, NOW, is_known=True) == timedelta(0)
    guessed = {**attacked, Scope.PAIR: tally(8)}
    assert longest_wait(guessed, RULES, NOW, is_known=True) == 8 * SECOND


def test_each_scope_has_its_rule() -> None:
    assert [RULES.of(scope).free for scope in (Scope.PAIR, Scope.ADDRESS, Scope.ACCOUNT)] == [
        5,
        50,
        20,
    ]


def test_a_success_takes_its_count_back_with_its_stamp() -> None:
    before = tally(7, HOUR)
    assert taken_back(counted(before, rule(5), NOW), before, NOW) == before


def test_failures_that_came_later_stay() -> None:
    before = tally(7, HOUR)
    later = Tally(failures=9, last_failed_at=NOW + SECOND)
    assert taken_back(later, before, NOW) == Tally(failures=8, last_failed_at=NOW + SECOND)
    assert taken_back(tally(2), None, NOW) == tally(1)


def test_of_a_first_count_nothing_is_left() -> None:
    assert taken_back(tally(1), None, NOW) is None
    assert taken_back(tally(1), tally(5, 2 * DAY), NOW) is None


@pytest.mark.parametrize(("wait", "seconds"), [(0.001, 1), (0, 1), (1, 1), (1.2, 2), (900, 900)])
def test_a_refusal_says_how_many_whole_seconds_to_wait(wait: float, seconds: int) -> None:
    refusal = TooManyAttempts(wait * SECOND)
    assert refusal.seconds == seconds
    assert str(refusal) == f"too many log-ins failed; try again in {seconds} s"
