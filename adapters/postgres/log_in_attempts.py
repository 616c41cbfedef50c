"""Failed log-ins in PostgreSQL.

Rows are locked in the order of their scopes, of which an attempt has one row each: so attempts wait
for one another, and never in a circle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Engine, Row
from typing_extensions import override

from adapters.postgres import log_in_attempts_sql as sql
from adapters.postgres.connections import one_transaction, single_statement
from application.ports.log_in_attempts import Admission, LogInAttempt, LogInAttempts
from domain.identity.log_in_throttle import (
    NO_WAIT,
    Scope,
    Tally,
    ThrottleRules,
    TooManyAttempts,
    counted,
    longest_wait,
    taken_back,
)

PRUNED_AT_ONCE: Final = 10
"""Each attempt makes three rows at most, and removes more than that of what is forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresLogInAttempts(LogInAttempts):
    """The tables `log_in_failures` and `log_in_addresses`."""

    engine: Engine
    rules: ThrottleRules

    @override
    def admit(self, attempt: LogInAttempt) -> Admission:
        parameters = sql.parameters_of(attempt, self.rules)
        # Who has to wait costs one reading statement: a flood of them writes and locks nothing.
        with single_statement(self.engine) as connection:
            seen = connection.execute(sql.LOOK, parameters).all()
        is_known = bool(seen[0].is_known)
        self._refuse(_tallies(seen), seen[0].now, is_known=is_known)
        with one_transaction(self.engine) as connection:
            locked = connection.execute(sql.LOCK, parameters).all()
            now = max(row.now for row in locked)
            tallies = _tallies(locked)
            self._refuse(tallies, now, is_known=is_known)
            self._count(connection, parameters, tallies, now)
            connection.execute(sql.PRUNE_FAILURES, {**parameters, "most": PRUNED_AT_ONCE})
        return Admission(attempt=attempt, counted_at=now, before=tallies)

    @override
    def succeeded(self, admission: Admission) -> None:
        parameters = sql.parameters_of(admission.attempt, self.rules)
        with one_transaction(self.engine) as connection:
            self._take_back(connection, admission)
            connection.execute(sql.FORGET[Scope.PAIR], parameters)
            connection.execute(sql.KNOW, parameters)
            connection.execute(sql.PRUNE_ADDRESSES, {**parameters, "most": PRUNED_AT_ONCE})

    @override
    def withdrawn(self, admission: Admission) -> None:
        with one_transaction(self.engine) as connection:
            self._take_back(connection, admission)

    def _take_back(self, connection: Connection, admission: Admission) -> None:
        parameters = sql.parameters_of(admission.attempt, self.rules)
        for scope, tally in _tallies(connection.execute(sql.HOLD, parameters).all()).items():
            left = taken_back(tally, admission.before.get(scope), admission.counted_at)
            if left is None:
                connection.execute(sql.FORGET[scope], parameters)
            else:
                _write(connection, scope, parameters, left)

    def _refuse(self, tallies: Mapping[Scope, Tally], now: datetime, *, is_known: bool) -> None:
        wait = longest_wait(tallies, self.rules, now, is_known=is_known)
        if wait > NO_WAIT:
            raise TooManyAttempts(wait)

    def _count(
        self,
        connection: Connection,
        parameters: sql.Parameters,
        tallies: Mapping[Scope, Tally],
        now: datetime,
    ) -> None:
        for scope in Scope:
            more = counted(tallies.get(scope), self.rules.of(scope), now)
            _write(connection, scope, parameters, more)


def _tallies(rows: Sequence[Row[*tuple[Any, ...]]]) -> dict[Scope, Tally]:
    """Without the rows that were made to be locked, and without the outer join's empty one."""
    return {
        Scope(row.scope): Tally(failures=row.failures, last_failed_at=row.last_failed_at)
        for row in rows
        if row.failures
    }


def _write(connection: Connection, scope: Scope, parameters: sql.Parameters, tally: Tally) -> None:
    values = {"failures": tally.failures, "last_failed_at": tally.last_failed_at}
    connection.execute(sql.WRITE[scope], {**parameters, **values})
