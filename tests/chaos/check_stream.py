"""What the client of the live stream believes when all is over."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from tests.chaos.check_hosts import API_FAULTS, SERVER_FAULTS
from tests.chaos.check_items import FINISHED
from tests.chaos.history import Breach, Change, Ending, FaultRecord, Item

_LOOK_SECONDS = 0.5
_MOST_LOOKS_MISSED = 4
_COMES_ROUND_SECONDS = 8.0
"""How long after a fault the stream may still wait for an answer or a session."""


def stream_breaks(ending: Ending, by_item: Mapping[UUID, Sequence[Change]]) -> Iterator[Breach]:
    """The client of the live stream ends with the true state."""
    true = {item.id: _seen(item) for item in ending.items}
    for item_id, item in ending.streamed.items():
        changes = by_item.get(item_id, ())
        if _was_not_seen(item, changes, ending.faults):
            continue
        last = changes[-1:]
        # Of a deletion only those are told whose item had not finished.
        if item_id not in true and last and last[0].old_status in FINISHED:
            true[item_id] = (str(last[0].old_status), last[0].attempt, last[0].stalls)
        if item_id not in true or true[item_id] != _seen(item):
            what = f"its client believes {_seen(item)}; true is {true.get(item_id)}"
            yield Breach(rule="the stream ends with the true state", item=item_id, what=what)
    for item_id in true.keys() - ending.streamed.keys():
        what = f"its client knows nothing of it; true is {true[item_id]}"
        yield Breach(rule="the stream ends with the true state", item=item_id, what=what)


def _was_not_seen(item: Item, changes: Sequence[Change], faults: Sequence[FaultRecord]) -> bool:
    """Whether it ended and was deleted between two looks: then neither is told.

    The next look is late where the database or the API is away.
    """
    if len(changes) < 2 or changes[-1].status is not None:
        return False
    end, deletion = changes[-2:]
    was = {(change.status, change.attempt, change.stalls) for change in changes[:-1]}
    if end.status not in FINISHED or _seen(item) not in was:
        return False
    looks = (
        end.at + number * _LOOK_SECONDS
        for number in range(int((deletion.at - end.at) / _LOOK_SECONDS) + 1)
    )
    return sum(not _is_away(look, faults) for look in looks) <= _MOST_LOOKS_MISSED


def _is_away(at: float, faults: Sequence[FaultRecord]) -> bool:
    kinds = SERVER_FAULTS | API_FAULTS
    return any(
        fault.kind in kinds and fault.covers(at, at, _COMES_ROUND_SECONDS) for fault in faults
    )


def _seen(item: Item) -> tuple[str, int, int]:
    return item.status, item.attempt, item.stalls
