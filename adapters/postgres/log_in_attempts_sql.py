"""The statements of failed log-ins. Names become keys here, by the database's own lower()."""

from typing import Any, Final, TypeAlias

from sqlalchemy import (
    ColumnElement,
    LargeBinary,
    Text,
    Uuid,
    and_,
    bindparam,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.types import DateTime, Interval

from adapters.postgres.tables import LOG_IN_ADDRESSES, LOG_IN_FAILURES, USERS
from application.ports.log_in_attempts import LogInAttempt
from domain.identity.log_in_throttle import Scope, ThrottleRules

Parameters: TypeAlias = dict[str, Any]


def parameters_of(attempt: LogInAttempt, rules: ThrottleRules) -> Parameters:
    """What every statement here is executed with."""
    return {
        "login": attempt.login,
        "network": attempt.network,
        "user_id": attempt.user_id,
        "known_for": rules.known_for,
        "memory": max(rules.of(scope).memory for scope in Scope),
    }


def _digest(parameter: str) -> ColumnElement[bytes]:
    """Of the text in lower case, as log-in names are compared."""
    lower = func.lower(bindparam(parameter, type_=Text))
    return func.sha256(func.convert_to(lower, "UTF8"), type_=LargeBinary)


_KEYS: Final[dict[Scope, ColumnElement[bytes]]] = {
    Scope.ACCOUNT: _digest("login"),
    Scope.ADDRESS: _digest("network"),
    Scope.PAIR: func.sha256(_digest("login").concat(_digest("network")), type_=LargeBinary),
}
_FAILURES: Final = LOG_IN_FAILURES.c
_KNOWN: Final = LOG_IN_ADDRESSES.c
_NOW: Final = func.clock_timestamp(type_=DateTime(timezone=True))
_USER: Final = bindparam("user_id", type_=Uuid)


def _is(scope: Scope) -> ColumnElement[bool]:
    return and_(_FAILURES.scope == scope.value, _FAILURES.key == _KEYS[scope])


_IS_KNOWN: Final = exists().where(
    _KNOWN.user_id == _USER,
    _KNOWN.network == bindparam("network", type_=Text),
    _KNOWN.last_success_at > _NOW - bindparam("known_for", type_=Interval),
)
_ONE: Final = select(literal(1).label("one")).subquery()
_OURS: Final = or_(*(_is(scope) for scope in Scope))
_COUNTS: Final = (_FAILURES.scope, _FAILURES.failures, _FAILURES.last_failed_at)

LOOK: Final = select(_IS_KNOWN.label("is_known"), _NOW.label("now"), *_COUNTS).select_from(
    _ONE.outerjoin(LOG_IN_FAILURES, _OURS)
)
"""One row at least: whether the address is the account's, and the time."""

_MADE: Final = insert(LOG_IN_FAILURES).values(
    [
        {"scope": scope.value, "key": _KEYS[scope], "failures": 0, "last_failed_at": _NOW}
        for scope in Scope
    ]
)
LOCK: Final = _MADE.on_conflict_do_update(
    index_elements=["scope", "key"], set_={"failures": _FAILURES.failures}
).returning(*_COUNTS, _NOW.label("now"))
"""The rows as they are once nobody else decides over them; those that were missing have 0."""

HOLD: Final = select(*_COUNTS).where(_OURS).order_by(_FAILURES.scope).with_for_update()

WRITE: Final = {
    scope: update(LOG_IN_FAILURES)
    .where(_is(scope))
    .values(failures=bindparam("failures"), last_failed_at=bindparam("last_failed_at"))
    for scope in Scope
}
FORGET: Final = {scope: delete(LOG_IN_FAILURES).where(_is(scope)) for scope in Scope}

_WHO: Final = (
    select(USERS.c.id, bindparam("network", type_=Text), _NOW)
    .where(USERS.c.id == _USER)
    .with_for_update(read=True, key_share=True)
)
KNOW: Final = (
    insert(LOG_IN_ADDRESSES)
    .from_select(["user_id", "network", "last_success_at"], _WHO)
    .on_conflict_do_update(index_elements=["user_id", "network"], set_={"last_success_at": _NOW})
)

_FORGOTTEN: Final = (
    select(_FAILURES.scope, _FAILURES.key)
    .where(_FAILURES.last_failed_at < _NOW - bindparam("memory", type_=Interval))
    .order_by(_FAILURES.last_failed_at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
PRUNE_FAILURES: Final = delete(LOG_IN_FAILURES).where(
    tuple_(_FAILURES.scope, _FAILURES.key).in_(_FORGOTTEN)
)
_OLD: Final = (
    select(_KNOWN.user_id, _KNOWN.network)
    .where(_KNOWN.last_success_at < _NOW - bindparam("known_for", type_=Interval))
    .order_by(_KNOWN.last_success_at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
PRUNE_ADDRESSES: Final = delete(LOG_IN_ADDRESSES).where(
    tuple_(_KNOWN.user_id, _KNOWN.network).in_(_OLD)
)
