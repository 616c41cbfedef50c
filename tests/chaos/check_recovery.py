"""Whether all is as it was before the first fault: throughput, waiting, and every Worker."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import quantiles
from uuid import UUID

from tests.chaos.check_items import FINISHED
from tests.chaos.history import Breach, Change, Ending

LEAST_WINDOW_SECONDS = 6.0
_LATER_SECONDS = 2.0
"""How much later claims may come on a machine that does other things too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """What went through the queue in a window."""

    asked: int
    rate: float
    """Items asked for in a second."""
    ended: int
    claimed_within: float
    """Seconds in which 95 % of what was asked for was claimed."""
    workers: int
    """Runners that began something."""


def recovery_breaks(ending: Ending) -> Iterator[Breach]:
    """As much ends as is asked for, as soon as before, by as many as before."""
    workers = ending.limits.workers
    before, after = flow(ending, ending.before), flow(ending, after_window(ending))
    begin, end = after_window(ending)
    if end - begin < LEAST_WINDOW_SECONDS:
        what = (
            f"what had piled up was not done {end - last_harm(ending):.1f} s after the last fault"
        )
        yield Breach(rule="recovered in time", what=what)
        return
    for name, seen in (("before", before), ("after", after)):
        # At the window's end some run, and some have just been asked for.
        if seen.asked == 0 or seen.ended < seen.asked - workers - round(seen.rate):
            what = f"{seen.ended} of {seen.asked} items ended in the window {name} the faults"
            yield Breach(rule="full throughput", what=what)
        if seen.workers < workers:
            what = f"{seen.workers} of {workers} Workers ran anything {name} the faults"
            yield Breach(rule="every Worker works", what=what)
    allowed = max(2 * before.claimed_within, before.claimed_within + _LATER_SECONDS)
    if after.claimed_within > allowed:
        what = (
            f"95 % were claimed within {before.claimed_within:.2f} s before,"
            f" {after.claimed_within:.2f} s after"
        )
        yield Breach(rule="claimed as soon as before", what=what)


def last_harm(ending: Ending) -> float:
    """When the last fault ended."""
    return max((fault.ended or fault.began for fault in ending.faults), default=0.0)


def after_window(ending: Ending) -> tuple[float, float]:
    """From when nothing is left of what piled up, to the end of the load."""
    begin, end = ending.after
    waiting: set[UUID] = set()
    drained: float | None = None
    for change in ending.changes:
        if change.at > end:
            break
        if change.status == "Queued":
            waiting.add(change.item)
        else:
            waiting.discard(change.item)
        if change.at < last_harm(ending):
            continue
        if drained is None and len(waiting) <= 1:
            drained = change.at
    return (end if drained is None else max(begin, drained)), end


def flow(ending: Ending, window: tuple[float, float]) -> Flow:
    begin, end = window
    changes: Sequence[Change] = ending.changes
    asked = {c.item: c.at for c in changes if c.old_status is None and begin <= c.at < end}
    ended = sum(
        1
        for change in changes
        if change.status in FINISHED
        and change.status != change.old_status
        and begin <= change.at < end
    )
    first: dict[UUID, float] = {}
    for change in changes:
        if change.old_status == "Queued" and change.item in asked:
            first.setdefault(change.item, change.at - asked[change.item])
    waits = list(first.values())
    runners = {
        line.pid for line in ending.ledger if line.event == "begin" and begin <= line.at < end
    }
    return Flow(
        asked=len(asked),
        rate=len(asked) / max(end - begin, 0.001),
        ended=ended,
        claimed_within=quantiles(waits, n=20)[-1] if len(waits) > 1 else 0.0,
        workers=len(runners),
    )
