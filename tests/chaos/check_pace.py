"""What must happen soon at any time, unless PostgreSQL itself is away."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from tests.chaos.check_hosts import SERVER_FAULTS
from tests.chaos.history import Breach, FaultRecord, History

SLACK_SECONDS = 3.0
"""For a busy machine, and for hosts to find their way back to the server."""


def pace_breaks(history: History) -> Iterator[Breach]:
    yield from _leases(history)
    yield from _outcomes(history)


def _leases(history: History) -> Iterator[Breach]:
    """A lease that ran out is noticed by whichever Worker is left, within two polls."""
    allowed = 2 * history.limits.poll + SLACK_SECONDS
    for look in history.looks:
        since = _server_is_there_since(look.at - look.longest, look.at, history.faults)
        if look.at - since > allowed:
            what = f"a lease ran out {look.longest:.1f} s ago, and nobody has noticed"
            yield Breach(rule="recovered within two polls", what=what)
            return


def _outcomes(history: History) -> Iterator[Breach]:
    """A run that is over is written, or given up with its lease."""
    limits = history.limits
    allowed = limits.lease + 2 * limits.poll + SLACK_SECONDS
    known = min(history.order_until, max((c.at for c in history.changes), default=0.0))
    ended: dict[tuple[UUID, int], float] = {}
    for change in history.changes:
        if change.old_status == "Running" and change.status != "Running":
            ended.setdefault((change.item, change.old_attempt), change.at)
    for line in history.ledger:
        if line.event == "begin":
            continue
        end = ended.get((line.item, line.attempt), known)
        waited = end - _server_is_there_since(line.at, end, history.faults)
        if waited > allowed:
            what = f"attempt {line.attempt} was over for {waited:.1f} s before anybody said so"
            yield Breach(rule="an outcome in hand is written", item=line.item, what=what)


def _server_is_there_since(begin: float, end: float, faults: Sequence[FaultRecord]) -> float:
    """From when on, in this span, no fault of the server's was in the way."""
    return max(
        [begin]
        + [
            end if fault.ended is None else fault.ended
            for fault in faults
            if fault.kind in SERVER_FAULTS and fault.covers(begin, end)
        ]
    )
