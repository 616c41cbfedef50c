"""What must hold when all is over: nothing lost, nothing left, all told truthfully, full speed."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from uuid import UUID

from tests.chaos.check_items import FINISHED, changes_by_item
from tests.chaos.check_recovery import last_harm, recovery_breaks
from tests.chaos.check_stream import stream_breaks
from tests.chaos.history import Breach, CancelAnswer, Change, Ending


def ending_breaks(ending: Ending) -> Iterator[Breach]:
    by_item = changes_by_item(ending.changes)
    yield from _lost(ending, by_item)
    yield from _left(ending, by_item)
    yield from _visible_rows(ending)
    yield from _leases(ending)
    for answer in ending.cancels:
        yield from _cancel(answer, by_item.get(answer.item, ()))
    yield from stream_breaks(ending, by_item)
    yield from recovery_breaks(ending)
    yield from _faults(ending)


def _lost(ending: Ending, by_item: Mapping[UUID, Sequence[Change]]) -> Iterator[Breach]:
    """Whatever was answered with an id exists, or went with its config."""
    there = {item.id for item in ending.items}
    for asked in ending.asked:
        if asked.id is None:
            continue
        changes = by_item.get(asked.id, ())
        if not changes:
            yield Breach(rule="no item lost", item=asked.id, what="it was never in the table")
        elif asked.id not in there and changes[-1].status is not None:
            yield Breach(rule="no item lost", item=asked.id, what="it is gone without a deletion")
        if changes and asked.coalesced and not _waited_after(changes, asked.at):
            what = "a request was answered with it that came when it waited no more"
            yield Breach(rule="coalesced with a waiting item", item=asked.id, what=what)


def _waited_after(changes: Sequence[Change], at: float) -> bool:
    """Whether it was Queued at any time after the instant."""
    left = [later.committed_at for change, later in pairwise(changes) if change.status == "Queued"]
    return changes[-1].status == "Queued" or any(each >= at for each in left)


def _left(ending: Ending, by_item: Mapping[UUID, Sequence[Change]]) -> Iterator[Breach]:
    """Every item of a kind that is served has ended, as the audit has it."""
    for item in ending.items:
        changes = by_item.get(item.id, ())
        if not changes:
            continue  # of a kind that nobody here serves
        if item.status not in FINISHED:
            yield Breach(rule="no item left", item=item.id, what=f"it is still {item.status}")
        last = changes[-1]
        if (item.status, item.attempt, item.stalls) != (last.status, last.attempt, last.stalls):
            yield Breach(rule="the audit is whole", item=item.id, what=f"{item} is not {last}")


def _visible_rows(ending: Ending) -> Iterator[Breach]:
    """Of a success exactly the rows are seen that its attempt counted."""
    counted: dict[tuple[UUID, int], int] = {}
    for row in ending.rows:
        counted[row.item, row.attempt] = counted.get((row.item, row.attempt), 0) + 1
    for item in ending.items:
        if item.status == "Succeeded" and item.result and "rows" in item.result:
            seen = counted.get((item.id, item.attempt), 0)
            if seen != item.result["rows"]:
                what = f"{seen} rows are seen, and it wrote {item.result['rows']}"
                yield Breach(rule="the finished attempt's rows are seen", item=item.id, what=what)


def _leases(ending: Ending) -> Iterator[Breach]:
    """From the last fault, a lease and two polls on, nothing runs without a live lease."""
    last = last_harm(ending)
    from_then_on = last + ending.limits.lease + 2 * ending.limits.poll
    looks = [look for look in ending.looks if look.at > from_then_on]
    if not looks:
        yield Breach(rule="no lease left to run out", what="nobody looked after the last fault")
    for look in looks:
        if look.expired:
            what = f"{look.expired} items, {look.at - last:.1f} s after the last fault"
            yield Breach(rule="no lease left to run out", what=what)
            return


def _cancel(answer: CancelAnswer, changes: Sequence[Change]) -> Iterator[Breach]:
    """Each answer was true when it was given."""
    steps = {(change.old_status, change.status) for change in changes}
    true = {
        200: ("Queued", "Cancelled") in steps and answer.shown_status == "Cancelled",
        202: answer.shows_request and any(change.cancel_requested for change in changes),
        409: any(change.status in FINISHED for change in changes),
        404: any(change.status is None for change in changes),
    }
    if not true.get(answer.status, False):
        what = f"answered with {answer.status} ({answer.shown_status})"
        yield Breach(rule="a cancel's answer is true", item=answer.item, what=what)


def _faults(ending: Ending) -> Iterator[Breach]:
    """A run that did not do what it is there to do proves nothing."""
    missing = ending.expected - {fault.kind for fault in ending.faults}
    for kind in sorted(missing):
        yield Breach(rule="every fault happens", what=f"there was no “{kind}”")
