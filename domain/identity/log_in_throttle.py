"""How long whoever guesses passwords has to wait.

An attempt counts as failed from its beginning, so that guesses at the same time count too; a log-in
that succeeds takes its count back. What waits is not counted: who only asks too early makes
nothing worse.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil

from domain.errors import DomainError

NO_WAIT = timedelta(0)
ONE_SECOND = timedelta(seconds=1)


class TooManyAttempts(DomainError):
    """The log-in has to wait; it reads the same whether the account exists or not."""

    def __init__(self, wait: timedelta) -> None:
        self.seconds = max(1, ceil(wait / ONE_SECOND))
        super().__init__(f"too many log-ins failed; try again in {self.seconds} s")


class Scope(StrEnum):
    """What failures are counted for."""

    ACCOUNT = "account"
    """A name as it was typed, from wherever; whether somebody has it is not asked."""
    ADDRESS = "address"
    """Whatever the name."""
    PAIR = "pair"
    """One name from one address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """`free` failures cost nothing; from then on each doubles the wait, up to `longest`.

    After `memory` without a failure nothing is held against anybody.
    """

    free: int
    first: timedelta
    longest: timedelta
    memory: timedelta

    def wait_after(self, failures: int) -> timedelta:
        """From the newest failure on."""
        if failures < self.free:
            return NO_WAIT
        wait = min(self.first, self.longest)
        for _ in range(failures - self.free):
            if wait == self.longest:
                break
            wait = min(wait * 2, self.longest)
        return wait


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrottleRules:
    """One rule for each scope, and how long a successful log-in speaks for its address."""

    account: Rule
    address: Rule
    pair: Rule
    known_for: timedelta

    def of(self, scope: Scope) -> Rule:
        return {Scope.ACCOUNT: self.account, Scope.ADDRESS: self.address, Scope.PAIR: self.pair}[
            scope
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The failures of one scope."""

    failures: int
    last_failed_at: datetime


def remembered(tally: Tally | None, rule: Rule, now: datetime) -> Tally | None:
    """The tally, unless its last failure is too long ago to count."""
    if tally is None or now - tally.last_failed_at >= rule.memory:
        return None
    return tally


def counted(tally: Tally | None, rule: Rule, now: datetime) -> Tally:
    """The tally with one failure more."""
    before = remembered(tally, rule, now)
    return Tally(failures=1 if before is None else before.failures + 1, last_failed_at=now)


def longest_wait(
    tallies: Mapping[Scope, Tally], rules: ThrottleRules, now: datetime, *, is_known: bool
) -> timedelta:
    """What is left of the wait; zero: the attempt may go on.

    `is_known`: the account has logged in from this address lately. Then what others do, to the
    account from elsewhere or from a shared address to other accounts, does not hold it up.
    """
    applying = (Scope.PAIR,) if is_known else tuple(Scope)
    return max(_left(tallies.get(scope), rules.of(scope), now) for scope in applying)


def _left(tally: Tally | None, rule: Rule, now: datetime) -> timedelta:
    before = remembered(tally, rule, now)
    if before is None:
        return NO_WAIT
    wait = rule.wait_after(before.failures)
    # A clock that was set back must not make the wait longer than it was.
    return min(wait, max(NO_WAIT, before.last_failed_at + wait - now))


def taken_back(tally: Tally, before: Tally | None, counted_at: datetime) -> Tally | None:
    """The tally without the failure that was counted at this instant; None: nothing is left.

    `before`: what the tally was then. Failures of others that came later stay as they are.
    """
    if tally.failures == 1:
        return None
    last = tally.last_failed_at
    if before is not None and last == counted_at:
        last = before.last_failed_at
    return Tally(failures=tally.failures - 1, last_failed_at=last)
