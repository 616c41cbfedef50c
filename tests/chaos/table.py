"""A run as a table: faults, items, the API's answers, and how long things took."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tests.chaos.check_hosts import API_FAULTS, SERVER_FAULTS
from tests.chaos.check_items import FINISHED
from tests.chaos.check_recovery import after_window, flow, last_harm
from tests.chaos.history import ApiAnswer, Breach, Change, Ending, FaultRecord
from tests.chaos.plan import FaultKind

MOST_LINES = 30


def table(ending: Ending) -> str:
    return "\n".join(
        [
            *_faults(ending),
            "",
            *_items(ending.changes),
            *_answers(ending.answers),
            *_throughput(ending),
        ]
    )


def told(breach: Breach, changes: Sequence[Change]) -> str:
    """The breach, with all that the audit has of its item."""
    lines = [f"BREACH: {breach.rule}: {breach.what}"]
    if breach.item is not None:
        lines.append(f"  item {breach.item}")
        lines += [_line(each) for each in changes if each.item == breach.item][:MOST_LINES]
    return "\n".join(lines)


def _line(change: Change) -> str:
    lease = "-" if change.old_lease_until is None else f"{change.old_lease_until - change.at:+.2f}"
    return (
        f"  {change.at:.3f} {change.old_status or '-'} > {change.status or 'deleted'}"
        f" attempt {change.attempt} stalls {change.stalls} lease {lease} s"
        f" {change.claimed_by or ''} {change.act}"
        f"{' cancel requested' if change.cancel_requested else ''} {change.error or ''}"
    )


def _faults(ending: Ending) -> Iterator[str]:
    yield f"{'fault':42} {'times':>5} {'until work went on, at most':>28}"
    for kind in FaultKind:
        records = [record for record in ending.faults if record.kind is kind]
        if not records:
            continue
        waits = [
            _until_work_went_on(record, ending)
            for record in records
            if kind in SERVER_FAULTS or not _is_server_away(record, ending.faults)
        ]
        longest = f"{max(waits):.1f} s" if waits else "-"
        yield f"{kind:42} {len(records):5} {longest:>28}"


def _is_server_away(record: FaultRecord, faults: Sequence[FaultRecord]) -> bool:
    """Then it is not this fault that work waits for."""
    until = record.ended or record.began
    return any(
        fault.kind in SERVER_FAULTS and fault.covers(record.began, until) for fault in faults
    )


def _until_work_went_on(record: FaultRecord, ending: Ending) -> float:
    """From its end (an API's: from its beginning) to the next item's end, or a good answer."""
    if record.kind in API_FAULTS:
        goods = [a.ended for a in ending.answers if a.began > record.began and a.status == 200]
        return min(goods, default=record.began) - record.began
    at_workers = {FaultKind.KILL, FaultKind.STOP, FaultKind.FREEZE}
    since = record.began if record.kind in at_workers else record.ended or record.began
    ends = [c.at for c in ending.changes if c.status in FINISHED and c.at > since]
    return min(ends, default=since) - since


def _items(changes: Sequence[Change]) -> Iterator[str]:
    into = Counter((change.old_status, change.status) for change in changes)
    ends = Counter(
        str(c.status) for c in changes if c.status in FINISHED and c.status != c.old_status
    )
    errors = [change.error or "" for change in changes if change.status in FINISHED]
    counts = {
        "items": sum(1 for change in changes if change.old_status is None),
        "attempts": into["Queued", "Running"],
        **{end.lower(): number for end, number in sorted(ends.items())},
        "stalls": sum(change.stalls - change.old_stalls for change in changes if change.status),
        "releases": sum(
            1
            for c in changes
            if (c.old_status, c.status) == ("Running", "Queued") and c.stalls == c.old_stalls
        ),
        "given up": sum(error.startswith("stalled: ") for error in errors),
        "superseded": sum(error.startswith("superseded by ") for error in errors),
        "cancel requests": len({c.item for c in changes if c.cancel_requested}),
        "deleted with their config": sum(1 for change in changes if change.status is None),
    }
    yield "items: " + ", ".join(f"{number} {name}" for name, number in counts.items())


def _answers(answers: Sequence[ApiAnswer]) -> Iterator[str]:
    counts = Counter(str(answer.status or "none") for answer in answers)
    slowest = max((answer.ended - answer.began for answer in answers if answer.status), default=0.0)
    told_counts = ", ".join(f"{number} with {status}" for status, number in sorted(counts.items()))
    yield f"API: {told_counts}; the slowest answer took {slowest:.1f} s"


def _throughput(ending: Ending) -> Iterator[str]:
    window = after_window(ending)
    yield f"what had piled up was done {window[0] - last_harm(ending):.1f} s after the last fault"
    for name, (begin, end) in (("before", ending.before), ("after", window)):
        seen = flow(ending, (begin, end))
        rate = seen.ended / max(end - begin, 0.001)
        yield (
            f"{name} the faults: {seen.ended} of {seen.asked} items ended, {rate:.1f} a second,"
            f" by {seen.workers} runners; 95 % claimed within {seen.claimed_within:.2f} s"
        )
