"""The law of the queue: every transition, from where, under which guards, with which effects.

Both interpreters are built from this table: `domain.work.item` applies it to values (and through
them the in-memory ports of the tests), `adapters.postgres.transition_sql` turns it into SQL.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from domain.work.status import WorkStatus


class Guard(StrEnum):
    """What must hold of the row, beside its status."""

    MY_ATTEMPT = "the attempt is the caller's"
    STALLED = "the lease ran out, or the attempt's own Worker saw its run die"
    LET_GO = "released by the attempt's own Worker, or stalled"
    CANCEL_REQUESTED = "a cancel was requested"
    NO_CANCEL_REQUEST = "no cancel was requested"
    STALLS_BELOW_LIMIT = "with this stall the limit is not reached"
    STALLS_AT_LIMIT = "with this stall the limit is reached"
    QUEUED_TWIN = "another item with the same dedup key is queued"
    NO_QUEUED_TWIN = "no other item with the same dedup key is queued"


class Effect(StrEnum):
    """What changes in the row, beside its status."""

    COUNT_ATTEMPT = "attempt + 1"
    TAKE = "claimed_by and started_at are set"
    LEASE = "lease_until is set"
    RESET_PROGRESS = "progress is emptied"
    REPORT_PROGRESS = "the newest progress is stored"
    STORE_RESULT = "the result is stored"
    STORE_PARTIAL = "the partial result is stored, where there is one"
    STORE_ERROR = "the error is stored"
    NAME_STALLS = "the error says how often it stalled, and where last"
    NAME_TWIN = "the error names the twin"
    COUNT_STALL = "stalls + 1"
    COUNT_STALL_IF_STALLED = "stalls + 1 unless it was released"
    DROP_LEASE = "lease_until is cleared"
    GIVE_BACK = "claimed_by and started_at are cleared"
    FINISH = "finished_at is set"
    NOTE_CANCEL_REQUEST = "cancel_requested_at is set"


class Transition(StrEnum):
    ENQUEUE = "enqueue"
    CLAIM = "claim"
    HEARTBEAT = "heartbeat"
    SUCCEED = "succeed"
    FAIL = "fail"
    END_AS_CANCELLED = "end as cancelled"
    RELEASE = "release"
    RECOVER = "recover"
    GIVE_UP = "give up"
    SUPERSEDE = "supersede"
    END_UNATTENDED = "end unattended"
    CANCEL_QUEUED = "cancel queued"
    REQUEST_CANCEL = "request cancel"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the table; `source` None means that there is no row yet."""

    source: WorkStatus | None
    target: WorkStatus
    guards: frozenset[Guard]
    effects: frozenset[Effect]


_Q, _R = WorkStatus.QUEUED, WorkStatus.RUNNING
_S, _F, _C = WorkStatus.SUCCEEDED, WorkStatus.FAILED, WorkStatus.CANCELLED
_G, _E, _T = Guard, Effect, Transition
_END = (_E.FINISH, _E.DROP_LEASE)

TABLE: Final[Mapping[Transition, Rule]] = MappingProxyType(
    {
        _T.ENQUEUE: Rule(None, _Q, frozenset({_G.NO_QUEUED_TWIN}), frozenset()),
        _T.CLAIM: Rule(
            _Q, _R, frozenset(), frozenset({_E.COUNT_ATTEMPT, _E.TAKE, _E.LEASE, _E.RESET_PROGRESS})
        ),
        _T.HEARTBEAT: Rule(
            _R, _R, frozenset({_G.MY_ATTEMPT}), frozenset({_E.LEASE, _E.REPORT_PROGRESS})
        ),
        _T.SUCCEED: Rule(
            _R,
            _S,
            frozenset({_G.MY_ATTEMPT}),
            frozenset({*_END, _E.STORE_RESULT, _E.REPORT_PROGRESS}),
        ),
        _T.FAIL: Rule(
            _R,
            _F,
            frozenset({_G.MY_ATTEMPT}),
            frozenset({*_END, _E.STORE_ERROR, _E.REPORT_PROGRESS}),
        ),
        _T.END_AS_CANCELLED: Rule(
            _R,
            _C,
            frozenset({_G.MY_ATTEMPT, _G.CANCEL_REQUESTED}),
            frozenset({*_END, _E.STORE_PARTIAL, _E.REPORT_PROGRESS}),
        ),
        _T.RELEASE: Rule(
            _R,
            _Q,
            frozenset({_G.MY_ATTEMPT, _G.NO_CANCEL_REQUEST, _G.NO_QUEUED_TWIN}),
            frozenset({_E.DROP_LEASE, _E.GIVE_BACK}),
        ),
        _T.RECOVER: Rule(
            _R,
            _Q,
            frozenset(
                {
                    _G.STALLED,
                    _G.NO_CANCEL_REQUEST,
                    _G.STALLS_BELOW_LIMIT,
                    _G.NO_QUEUED_TWIN,
                }
            ),
            frozenset({_E.COUNT_STALL, _E.DROP_LEASE, _E.GIVE_BACK}),
        ),
        _T.GIVE_UP: Rule(
            _R,
            _F,
            frozenset({_G.STALLED, _G.STALLS_AT_LIMIT}),
            frozenset({*_END, _E.COUNT_STALL, _E.NAME_STALLS}),
        ),
        _T.SUPERSEDE: Rule(
            _R,
            _C,
            frozenset({_G.LET_GO, _G.QUEUED_TWIN}),
            frozenset({*_END, _E.COUNT_STALL_IF_STALLED, _E.NAME_TWIN}),
        ),
        _T.END_UNATTENDED: Rule(
            _R,
            _C,
            frozenset({_G.LET_GO, _G.CANCEL_REQUESTED}),
            frozenset({*_END, _E.COUNT_STALL_IF_STALLED, _E.STORE_PARTIAL}),
        ),
        _T.CANCEL_QUEUED: Rule(_Q, _C, frozenset(), frozenset({_E.FINISH})),
        _T.REQUEST_CANCEL: Rule(
            _R, _R, frozenset({_G.NO_CANCEL_REQUEST}), frozenset({_E.NOTE_CANCEL_REQUEST})
        ),
    }
)

# When several apply, the first does: a cancel is never lost, and a waiting twin makes way for none.
AFTER_RELEASE: Final = (_T.END_UNATTENDED, _T.SUPERSEDE, _T.RELEASE)
AFTER_STALL: Final = (_T.END_UNATTENDED, _T.GIVE_UP, _T.SUPERSEDE, _T.RECOVER)
ON_CANCEL: Final = (_T.CANCEL_QUEUED, _T.REQUEST_CANCEL)

STALLED_ERROR: Final = "stalled: {stalls} claims died, the last one of {worker}"
SUPERSEDED_ERROR: Final = "superseded by {twin}"


def sources_of(*transitions: Transition) -> frozenset[WorkStatus]:
    """The statuses from which one of the transitions is legal."""
    return frozenset(source for each in transitions if (source := TABLE[each].source) is not None)
