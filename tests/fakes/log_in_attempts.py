"""Failed log-ins in memory."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from typing_extensions import override

from application.ports.log_in_attempts import Admission, LogInAttempt, LogInAttempts
from domain.identity.log_in_throttle import (
    Rule,
    Scope,
    Tally,
    ThrottleRules,
    TooManyAttempts,
    counted,
    longest_wait,
    taken_back,
)
from tests.fakes.accounts import Accounts

Key = tuple[Scope, str]
SECOND = timedelta(seconds=1)


def rules(
    *, pair: int = 2, address: int = 4, account: int = 3, unit: timedelta = SECOND
) -> ThrottleRules:
    """Small numbers, which tests can count."""

    def rule(free: int) -> Rule:
        return Rule(free=free, first=10 * unit, longest=60 * unit, memory=3_600 * unit)

    return ThrottleRules(
        pair=rule(pair), address=rule(address), account=rule(account), known_for=timedelta(days=90)
    )


@dataclass
class InMemoryLogInAttempts(LogInAttempts):
    accounts: Accounts
    rules: ThrottleRules = field(default_factory=rules)
    tallies: dict[Key, Tally] = field(default_factory=dict)
    known: dict[tuple[UUID, str], datetime] = field(default_factory=dict)

    @override
    def admit(self, attempt: LogInAttempt) -> Admission:
        now = self.accounts.clock.now()
        keys = keys_of(attempt)
        found = {scope: self.tallies[key] for scope, key in keys.items() if key in self.tallies}
        wait = longest_wait(found, self.rules, now, is_known=self._is_known(attempt, now))
        if wait:
            raise TooManyAttempts(wait)
        for scope, key in keys.items():
            self.tallies[key] = counted(found.get(scope), self.rules.of(scope), now)
        return Admission(attempt=attempt, counted_at=now, before=found)

    @override
    def succeeded(self, admission: Admission) -> None:
        self.withdrawn(admission)
        attempt = admission.attempt
        self.tallies.pop(keys_of(attempt)[Scope.PAIR], None)
        if attempt.user_id is not None and attempt.user_id in self.accounts.users:
            self.known[attempt.user_id, attempt.network] = self.accounts.clock.now()

    @override
    def withdrawn(self, admission: Admission) -> None:
        for scope, key in keys_of(admission.attempt).items():
            tally = self.tallies.pop(key, None)
            if tally is None:
                continue
            left = taken_back(tally, admission.before.get(scope), admission.counted_at)
            if left is not None:
                self.tallies[key] = left

    def _is_known(self, attempt: LogInAttempt, now: datetime) -> bool:
        if attempt.user_id is None:
            return False
        at = self.known.get((attempt.user_id, attempt.network))
        return at is not None and at > now - self.rules.known_for


def keys_of(attempt: LogInAttempt) -> dict[Scope, Key]:
    login = attempt.login.lower()
    return {
        Scope.ACCOUNT: (Scope.ACCOUNT, login),
        Scope.ADDRESS: (Scope.ADDRESS, attempt.network),
        Scope.PAIR: (Scope.PAIR, f"{login}\n{attempt.network}"),
    }
