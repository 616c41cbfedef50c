"""First in, first out within a scope: what a claim passed over must have been held by another.

Exact for claims that don't overlap in time (ADR 0014): of two at once, the second may take the
next one.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from tests.chaos.history import Breach, Change, History
from tests.chaos.plan import FaultKind

SEEN_AFTER_SECONDS = 0.25
"""A commit is visible a moment after its time."""
_THAW_SECONDS = 1.0
"""After a freeze, sessions go on in any order: a commit may be seen later than its time."""
_ROLL_BACK_SECONDS = 0.2
"""A session that is ended may have held an item, of which the audit then knows nothing."""


@dataclass(frozen=True, slots=True)
class _Wait:
    """One stay of an item in the queue."""

    order: tuple[float, UUID]
    seen_at: float
    taken_from: float
    """When the statement that took it out began; from then on it may have been locked."""


def order_breaks(history: History) -> Iterator[Breach]:
    """Claims that passed over an older item of the same scope and kind that nobody held."""
    blurred = list(_blurred(history))
    lines: dict[tuple[UUID | None, str], list[Change]] = defaultdict(list)
    for change in history.changes:
        lines[change.scope, change.kind].append(change)
    for changes in lines.values():
        yield from _line_breaks(changes, history.order_until, blurred)


def _blurred(history: History) -> Iterator[tuple[float, float]]:
    """Spans in which somebody may have held an item of whom the audit says nothing."""
    for fault in history.faults:
        if fault.kind is FaultKind.SILENCE and fault.ended is not None:
            yield fault.ended, fault.ended + _THAW_SECONDS
        for kill in fault.kills:
            yield kill - _ROLL_BACK_SECONDS, kill + _ROLL_BACK_SECONDS


def _line_breaks(
    changes: Sequence[Change], until: float, blurred: Sequence[tuple[float, float]]
) -> Iterator[Breach]:
    waits = sorted(_waits(changes), key=lambda wait: wait.seen_at)
    claims = sorted(
        (
            change
            for change in changes
            if (change.old_status, change.status) == ("Queued", "Running") and change.at < until
        ),
        key=lambda change: change.statement_at,
    )
    # Those that are waiting when the claim begins, the oldest request first.
    waiting: list[_Wait] = []
    coming = iter([*waits, None])
    following = next(coming)
    for claim in claims:
        while following is not None and following.seen_at < claim.statement_at:
            insort(waiting, following, key=lambda wait: wait.order)
            following = next(coming)
        waiting = [wait for wait in waiting if wait.taken_from > claim.statement_at]
        own = (claim.requested_at, claim.item)
        older = waiting[: bisect_left(waiting, own, key=lambda wait: wait.order)]
        passed = [wait for wait in older if wait.taken_from > claim.at]
        if passed and not any(
            begin <= claim.at and claim.statement_at <= end for begin, end in blurred
        ):
            ahead = claim.requested_at - passed[0].order[0]
            what = f"claimed before {passed[0].order[1]}, which was asked for {ahead:.3f} s earlier"
            yield Breach(rule="first in, first out in a scope", item=claim.item, what=what)


def _waits(changes: Sequence[Change]) -> Iterator[_Wait]:
    entered: dict[UUID, Change] = {}
    for change in changes:
        entry = entered.pop(change.item, None)
        if entry is not None:
            yield _wait(entry, change.statement_at)
        if change.status == "Queued":
            entered[change.item] = change
    for entry in entered.values():
        yield _wait(entry, float("inf"))


def _wait(entry: Change, taken_from: float) -> _Wait:
    order = (entry.requested_at, entry.item)
    return _Wait(order, entry.committed_at + SEEN_AFTER_SECONDS, taken_from)
