"""What must hold of each item at any time, read from the audit and the ledger.

The legal steps are written down here from the specification, not taken from the product's table.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from uuid import UUID

from tests.chaos.history import Breach, Change, History, LedgerLine
from tests.chaos.plan import FaultKind

FINISHED = frozenset({"Succeeded", "Failed", "Cancelled"})
_STEPS = frozenset(
    {
        ("Queued", "Running"),
        ("Queued", "Cancelled"),
        ("Running", "Running"),
        ("Running", "Queued"),
        ("Running", "Succeeded"),
        ("Running", "Failed"),
        ("Running", "Cancelled"),
    }
)
_NAMED_ATTEMPT = re.compile(r"attempt (\d+)")
_NAMED_TWIN = re.compile(r"superseded by ([0-9a-f-]{36})")
_RELEASE_SLACK_SECONDS = 8.0
"""How long after SIGTERM a Worker may still hand an item back: grace, slack, an answer's limit."""
_HEARD_SECONDS = 1.5
"""Two beats, and time for a busy machine."""


def changes_by_item(changes: Sequence[Change]) -> Mapping[UUID, Sequence[Change]]:
    """Each item's changes in their order."""
    found: dict[UUID, list[Change]] = defaultdict(list)
    for change in changes:
        found[change.item].append(change)
    return found


def items_break(history: History) -> Iterator[Breach]:
    """Breaches in the changes of single items."""
    died = {(line.item, line.attempt) for line in history.ledger if line.event == "die"}
    ended = {(line.item, line.attempt) for line in history.ledger if line.event == "end"}
    by_item = changes_by_item(history.changes)
    for item, changes in by_item.items():
        yield from _chain(item, changes)
        yield from _one_end(item, changes)
        yield from _heard(changes, history)
        yield from _outcome(changes, ended)
        for change in changes:
            yield from _step(change)
            yield from _own_words(change)
            yield from _stall(change, died, history.limits.stall_limit)
            yield from _release(change, history)
            yield from _superseded(change, by_item)
    yield from _runs(history.ledger, by_item)
    yield from _late_rows(history, by_item)


def _chain(item: UUID, changes: Sequence[Change]) -> Iterator[Breach]:
    """Nothing happened to the item behind the audit's back, and it began as it must."""
    first = changes[0]
    if (first.old_status, first.status, first.attempt, first.stalls) != (None, "Queued", 0, 0):
        yield Breach(rule="began queued", item=item, what=f"its first row was {first}")
    for before, change in pairwise(changes):
        known = (before.status, before.attempt, before.stalls)
        if (change.old_status, change.old_attempt, change.old_stalls) != known:
            yield Breach(rule="no gap", item=item, what=f"{known} became {change}")


def _one_end(item: UUID, changes: Sequence[Change]) -> Iterator[Breach]:
    ends = [c for c in changes if c.status in FINISHED and c.status != c.old_status]
    if len(ends) > 1:
        told = ", ".join(f"{end.status} by attempt {end.attempt}" for end in ends)
        yield Breach(rule="one terminal write", item=item, what=told)


def _step(change: Change) -> Iterator[Breach]:
    """Statuses, attempts and stalls move as section 3 has it, and a cancel stops every start."""
    if change.old_status is None or change.status is None:
        return
    step = (change.old_status, change.status)
    told = f"{change.old_status} to {change.status} at attempt {change.attempt}"
    if step not in _STEPS:
        yield Breach(rule="legal step", item=change.item, what=told)
    is_claim = step == ("Queued", "Running")
    if change.attempt - change.old_attempt != int(is_claim):
        what = f"{told}, after attempt {change.old_attempt}"
        yield Breach(
            rule="a claim counts the attempt, nothing else does", item=change.item, what=what
        )
    if step[1] in {"Queued", "Running"} and is_claim and change.cancel_requested:
        yield Breach(rule="no start after a cancel", item=change.item, what=told)
    if step == ("Running", "Queued") and change.cancel_requested:
        yield Breach(rule="a cancel is never lost", item=change.item, what=told)


def _own_words(change: Change) -> Iterator[Breach]:
    """What stands in the row was written by the attempt that the row is at."""
    words: list[object] = []
    if change.status in FINISHED and change.result:
        words.append(change.result.get("attempt"))
    words += [
        int(named[1])
        for text in (change.note, change.error)
        if text and (named := _NAMED_ATTEMPT.search(text))
    ]
    if any(word != change.attempt for word in words):
        what = f"attempt {words} wrote into attempt {change.attempt} ({change.status})"
        yield Breach(rule="a fenced attempt writes nothing", item=change.item, what=what)


def _stall(change: Change, died: set[tuple[UUID, int]], stall_limit: int) -> Iterator[Breach]:
    """A stall is a lease that ran out or a runner that died, and the third is the last."""
    if change.status is None:
        return
    more = change.stalls - change.old_stalls
    has_died = (change.item, change.old_attempt) in died
    told = f"{change.old_status} to {change.status}, stalls {change.old_stalls} to {change.stalls}"
    if more not in {0, 1} or (more and change.old_status != "Running"):
        yield Breach(rule="one stall at a time", item=change.item, what=told)
    ran_out = change.old_lease_until is not None and change.old_lease_until < change.at
    if more and not ran_out and not has_died:
        left = (change.old_lease_until or 0.0) - change.at
        what = f"{told}, though the lease had {left:.2f} s to run and its runner had not died"
        yield Breach(rule="stalls counted right", item=change.item, what=what)
    if not more and has_died and change.old_status == "Running" and change.status != "Running":
        what = f"{told}, though the runner of attempt {change.attempt} died"
        yield Breach(rule="stalls counted right", item=change.item, what=what)
    gave_up = change.status == "Failed" and (change.error or "").startswith("stalled: ")
    if gave_up != (change.stalls >= stall_limit and change.status != "Cancelled"):
        yield Breach(rule="given up at the limit", item=change.item, what=told)


def _release(change: Change, history: History) -> Iterator[Breach]:
    """Only a Worker that was told to stop hands an item back without a stall."""
    handed_back = change.old_status == "Running" and change.status == "Queued"
    if not handed_back or change.stalls != change.old_stalls:
        return
    stops = [fault for fault in history.faults if fault.kind is FaultKind.STOP]
    if not any(0 <= change.at - fault.began < _RELEASE_SLACK_SECONDS for fault in stops):
        what = f"attempt {change.attempt} went back to the queue without a stall or a SIGTERM"
        yield Breach(rule="stalls counted right", item=change.item, what=what)


def _outcome(changes: Sequence[Change], ended: set[tuple[UUID, int]]) -> Iterator[Breach]:
    """Each item ends as what it does has to end."""
    last = changes[-1]
    told = f"“{last.act}” ended as {last.status}: {last.error}"
    error = last.error or ""
    if last.status == "Succeeded" and (last.item, last.attempt) not in ended:
        yield Breach(rule="a success was run to its end", item=last.item, what=told)
    if last.status == "Succeeded" and last.act in {"raise", "die"}:
        yield Breach(rule="the right outcome", item=last.item, what=told)
    may_fail = last.act == "raise" or error.startswith("stalled: ")
    if last.status == "Failed" and not may_fail:
        yield Breach(rule="the right outcome", item=last.item, what=told)
    was_asked = last.cancel_requested or last.old_status == "Queued"
    if last.status == "Cancelled" and not was_asked and not error.startswith("superseded by "):
        yield Breach(rule="the right outcome", item=last.item, what=told)


def _heard(changes: Sequence[Change], history: History) -> Iterator[Breach]:
    """A handler that looks at its token is stopped soon after the request, faults aside."""
    asked = [change for change in changes if change.cancel_requested]
    if not asked or asked[0].act != "work" or asked[-1].status != "Succeeded":
        return
    waited = asked[-1].at - asked[0].at
    harmed = any(
        fault.covers(asked[0].at, asked[-1].at, _HEARD_SECONDS) for fault in history.faults
    )
    if waited > _HEARD_SECONDS and not harmed:
        what = f"its handler went on for {waited:.1f} s after the request and succeeded"
        yield Breach(rule="a cancel is heard", item=asked[0].item, what=what)


def _superseded(change: Change, by_item: Mapping[UUID, Sequence[Change]]) -> Iterator[Breach]:
    """Whoever makes way makes way for a twin that was waiting."""
    named = _NAMED_TWIN.search(change.error or "") if change.status == "Cancelled" else None
    if named is None:
        return
    twin = by_item.get(UUID(named[1]), ())
    waited = any(
        entry.status == "Queued"
        and entry.key == change.key
        and entry.at <= change.at
        and all(leave.committed_at >= change.at for leave in twin[number + 1 : number + 2])
        for number, entry in enumerate(twin)
    )
    if not waited:
        what = f"it made way for {named[1]}, which was not waiting with its key"
        yield Breach(rule="superseded by a waiting twin", item=change.item, what=what)


def _runs(
    ledger: Sequence[LedgerLine], by_item: Mapping[UUID, Sequence[Change]]
) -> Iterator[Breach]:
    """Each attempt that began was claimed, and began once."""
    claimed = {
        (item, change.attempt)
        for item, changes in by_item.items()
        for change in changes
        if change.status == "Running"
    }
    begun: set[tuple[UUID, int]] = set()
    for line in ledger:
        run = (line.item, line.attempt)
        if line.event != "begin":
            continue
        if run in begun:
            what = f"attempt {line.attempt} began twice"
            yield Breach(rule="an attempt begins once", item=line.item, what=what)
        begun.add(run)
        if run not in claimed:
            what = f"attempt {line.attempt} began without a claim"
            yield Breach(rule="no run without a claim", item=line.item, what=what)


def _late_rows(history: History, by_item: Mapping[UUID, Sequence[Change]]) -> Iterator[Breach]:
    """No row was written by an attempt after the attempt had ended."""
    ended: dict[tuple[UUID, int], float] = {}
    for item, changes in by_item.items():
        for change in changes:
            if change.old_status == "Running" and change.status != "Running":
                ended.setdefault((item, change.old_attempt), change.at)
    for row in history.rows:
        end = ended.get((row.item, row.attempt))
        if end is not None and row.at > end:
            what = f"row {row.row} of attempt {row.attempt} came {row.at - end:.2f} s too late"
            yield Breach(rule="a fenced attempt writes no result row", item=row.item, what=what)
