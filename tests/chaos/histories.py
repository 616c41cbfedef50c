"""Histories made by hand: one in which every promise is kept, to be broken in one place."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from tests.chaos.history import (
    ApiAnswer,
    Asked,
    Breach,
    CancelAnswer,
    Change,
    Ending,
    FaultRecord,
    HostExit,
    Item,
    LeaseLook,
    LedgerLine,
    ResultRow,
)
from tests.chaos.plan import FaultKind

PLAIN = UUID(int=1)
STALLED = UUID(int=2)
CANCELLED = UUID(int=3)
OLDER, TWIN = UUID(int=4), UUID(int=5)
KILLER = UUID(int=6)
RELEASED = UUID(int=7)
DELETED = UUID(int=8)
STREAK = [UUID(int=100 + number) for number in range(16)]
"""Items of a scope of their own, asked for and claimed one a second from 1,200 on."""
STREAK_SCOPE = UUID(int=99)


@dataclass
class Writer:
    """Writes the changes of a history; each item goes on from where it was."""

    changes: list[Change] = field(default_factory=list)
    ledger: list[LedgerLine] = field(default_factory=list)
    rows: list[ResultRow] = field(default_factory=list)
    _last: dict[UUID, Change] = field(default_factory=dict)

    def write(self, item: UUID, at: float, status: str | None, **more: Any) -> None:
        last = self._last.get(item)
        was = {} if last is None else _as_old(last)
        kept = {} if last is None else _kept(last)
        change = Change(
            **{
                "seq": len(self.changes),
                "item": item,
                "old_status": None,
                "status": status,
                "statement_at": at - 0.001,
                "at": at,
                "committed_at": at + 0.001,
                "requested_at": at,
                **was,
                **kept,
                **more,
            }
        )
        self.changes.append(change)
        self._last[item] = change

    def run(self, item: UUID, at: float, attempt: int, *events: str, **more: Any) -> None:
        """Claim it and note the events a little later."""
        self.write(item, at, "Running", attempt=attempt, claimed_by="all@here", **more)
        for number, event in enumerate(events, 1):
            line = len(self.ledger) + 1
            when = at + number / 100
            self.ledger.append(
                LedgerLine(
                    line=line, item=item, attempt=attempt, event=event, at=when, pid=line % 8 // 2
                )
            )

    def succeed(self, item: UUID, at: float, attempt: int = 1) -> None:
        """A claim, one row, and success after 0.1 s."""
        self.run(item, at, attempt, "begin", "end")
        self.rows.append(ResultRow(item=item, attempt=attempt, row=0, at=at + 0.05))
        result = {"attempt": attempt, "rows": 1}
        self.write(item, at + 0.1, "Succeeded", result=result, old_lease_until=at + 3)


def _as_old(last: Change) -> dict[str, Any]:
    return {
        "old_status": last.status,
        "old_attempt": last.attempt,
        "old_stalls": last.stalls,
        "attempt": last.attempt,
        "stalls": last.stalls,
    }


def _kept(last: Change) -> dict[str, Any]:
    names = ("requested_at", "scope", "kind", "key", "act", "cancel_requested", "claimed_by")
    return {name: getattr(last, name) for name in names}


def good() -> Ending:
    """A run of which nothing can be said."""
    writer = Writer()
    for item in (PLAIN, STALLED, CANCELLED, KILLER, RELEASED, DELETED):
        act = {CANCELLED: "work", KILLER: "die"}.get(item, "return")
        writer.write(item, 1000.0, "Queued", act=act, scope=item)
    writer.succeed(PLAIN, 1001.0)
    _stalled_once(writer)
    _cancelled(writer)
    _superseded(writer)
    _killer(writer)
    _released(writer)
    writer.run(DELETED, 1001.0, 1, "begin")
    writer.write(DELETED, 1002.0, None, old_lease_until=1004.0)
    for number, item in enumerate(STREAK):
        writer.write(item, 1200.0 + number, "Queued", scope=STREAK_SCOPE)
        writer.succeed(item, 1200.5 + number)
    return _ending(writer)


def _stalled_once(writer: Writer) -> None:
    writer.run(STALLED, 1001.0, 1, "begin")
    writer.rows.append(ResultRow(item=STALLED, attempt=1, row=0, at=1001.5))
    writer.write(STALLED, 1004.1, "Queued", stalls=1, old_lease_until=1004.0)
    writer.succeed(STALLED, 1005.0, attempt=2)


def _cancelled(writer: Writer) -> None:
    writer.run(CANCELLED, 1001.0, 1, "begin")
    writer.write(CANCELLED, 1002.0, "Running", cancel_requested=True, old_lease_until=1004.0)
    partial = {"attempt": 1, "rows": 0}
    writer.write(CANCELLED, 1002.4, "Cancelled", result=partial, old_lease_until=1005.0)


def _superseded(writer: Writer) -> None:
    writer.write(OLDER, 1010.0, "Queued", key="k")
    writer.run(OLDER, 1011.0, 1, "begin")
    writer.write(TWIN, 1012.0, "Queued", key="k")
    error = f"superseded by {TWIN}"
    writer.write(OLDER, 1015.0, "Cancelled", stalls=1, old_lease_until=1014.0, error=error)
    writer.succeed(TWIN, 1016.0)


def _killer(writer: Writer) -> None:
    for attempt in (1, 2, 3):
        at = 1020.0 + attempt
        writer.run(KILLER, at, attempt, "begin", "die")
        is_last = attempt == 3
        writer.write(
            KILLER,
            at + 0.1,
            "Failed" if is_last else "Queued",
            stalls=attempt,
            old_lease_until=at + 3,
            error="stalled: 3 claims died, the last one of all@here" if is_last else None,
        )


def _released(writer: Writer) -> None:
    writer.run(RELEASED, 1030.0, 1, "begin")
    writer.write(RELEASED, 1031.0, "Queued", old_lease_until=1034.0, claimed_by=None)
    writer.succeed(RELEASED, 1032.0, attempt=2)


def _ending(writer: Writer) -> Ending:
    last = {change.item: change for change in writer.changes}
    items = [
        Item(
            id=item,
            status=change.status,
            attempt=change.attempt,
            stalls=change.stalls,
            result=change.result,
        )
        for item, change in last.items()
        if change.status is not None
    ]
    return Ending(
        changes=writer.changes,
        ledger=writer.ledger,
        rows=writer.rows,
        faults=[
            FaultRecord(kind=FaultKind.STOP, target=0, began=1030.5, ended=1034.0),
            FaultRecord(kind=FaultKind.RESTART, target=0, began=1040.0, ended=1060.0),
            FaultRecord(kind=FaultKind.API_KILL, target=0, began=1070.0, ended=1072.0),
        ],
        exits=[
            HostExit(host="worker-0", at=1032.0, status=0, told_at=1030.5, told=FaultKind.STOP),
            HostExit(host="worker-1", at=1050.0, status=1, was_ready=False),
        ],
        answers=[
            ApiAnswer(what="GET /readyz", began=1001.0, ended=1001.1, status=200),
            ApiAnswer(what="GET /readyz", began=1045.0, ended=1046.0, status=503, retry_after=True),
            ApiAnswer(
                what="GET /readyz", began=1071.0, ended=1071.1, status=None, reason="refused"
            ),
        ],
        items=items,
        asked=[Asked(at=1000.0, id=change.item) for change in writer.changes if not change.seq],
        cancels=[
            CancelAnswer(item=CANCELLED, status=202, shown_status="Running", shows_request=True),
            CancelAnswer(item=PLAIN, status=409),
            CancelAnswer(item=DELETED, status=404),
        ],
        looks=[LeaseLook(at=1061.0, expired=3, longest=19.0), LeaseLook(at=1100.0, expired=0)],
        streamed={item.id: item for item in items},
        expected=frozenset({FaultKind.STOP, FaultKind.RESTART, FaultKind.API_KILL}),
        before=(1200.0, 1208.0),
        after=(1208.0, 1216.0),
    )


def rewritten(ending: Ending, item: UUID, number: int, **changes: Any) -> None:
    """Change the item's change of that number (negative: from the end)."""
    place = [index for index, each in enumerate(ending.changes) if each.item == item][number]
    ending.changes = [
        replace(each, **changes) if index == place else each
        for index, each in enumerate(ending.changes)
    ]


def added(ending: Ending, item: UUID, **changes: Any) -> None:
    """One change more of the item, behind its last."""
    last = [each for each in ending.changes if each.item == item][-1]
    further = replace(
        last,
        seq=len(ending.changes),
        old_status=last.status,
        old_attempt=last.attempt,
        old_stalls=last.stalls,
        at=last.at + 1,
        statement_at=last.at + 0.999,
        committed_at=last.at + 1.001,
    )
    ending.changes = [*ending.changes, replace(further, **changes)]


def out_of_order(ending: Ending) -> None:
    """The second item of the streak is claimed before the first."""
    first, second = STREAK[0], STREAK[1]
    rewritten(ending, first, 1, statement_at=1201.9, at=1201.91, committed_at=1201.92)
    rewritten(ending, second, 1, statement_at=1201.5, at=1201.51)


def outcome_in_hand(ending: Ending) -> None:
    """Its handler had ended long before it was written."""
    rewritten(ending, PLAIN, -1, at=1008.0)


def stream_behind(ending: Ending) -> None:
    """The stream's last word on an item is an old one."""
    believed = Item(id=PLAIN, status="Running", attempt=1, stalls=0)
    ending.streamed = {**ending.streamed, PLAIN: believed}


def rules(found: Sequence[Breach]) -> set[str]:
    return {breach.rule for breach in found}
