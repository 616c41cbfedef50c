"""Where a claim's look begins: the instant before which nothing waits that was never claimed.

A snapshot that somebody holds open keeps the index entries of claimed items, and every claim would
step over all of them. They lie before the oldest item that still waits, so a Worker remembers where
that was. Nothing may turn up behind it later but an item that was claimed before and given back,
which the claim looks for by itself, and a request whose transaction was still open at the look;
the floor stays so far in the past that none of these can be older. docs/adr/0014 has the figures.
"""

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import ARRAY, Interval, Text, Uuid, bindparam, text
from sqlalchemy.sql.expression import TextClause

from adapters.postgres.claim_pairs import EVERY_SCOPE, HEAD, pairs

LOOK_EVERY_SECONDS: Final = 5.0
"""Also how long a step back of the database's clock can hide a request behind others."""

# now() is of before the snapshot: a later instant could hide what the snapshot does not see yet. A
# floor before the years that Python has is none. Of a scope that is not active only is told that
# something waits in it: it may sleep for months, and must not be overtaken when it wakes.
_FLOOR = f"""
    SELECT CASE WHEN found.floor >= '0001-01-02' THEN found.floor END AS floor, found.asleep FROM (
        SELECT least(now() - :latest_commit, min(first.requested_at) FILTER (WHERE pair.is_awake))
            AS floor,
            coalesce(array_agg(DISTINCT pair.scope) FILTER (WHERE NOT pair.is_awake), '{{}}')
            AS asleep
        FROM ({pairs(EVERY_SCOPE, "'-infinity'::timestamptz")}) pair
        CROSS JOIN LATERAL ({HEAD}) first
    ) found
"""  # noqa: S608  # names and constants of ours


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """Nothing that was never claimed waits before `floor` but in the scopes that were asleep."""

    floor: datetime | None = None
    """None: from the very start."""
    asleep: Sequence[UUID] = ()

    def parameters(self) -> dict[str, object]:
        return {"floor": self.floor, "asleep": list(self.asleep)}


FROM_THE_START: Final = Floor()


def floor_statement() -> TextClause:
    """One row as Floor has it; parameters user_id, kinds, latest_commit."""
    return text(_FLOOR).bindparams(
        bindparam("user_id", type_=Uuid),
        bindparam("kinds", type_=ARRAY(Text)),
        bindparam("latest_commit", type_=Interval),
    )


@dataclass(slots=True)
class ClaimFloors:
    """The floor of each who looks, and when it was looked for."""

    look_every: float = LOOK_EVERY_SECONDS
    clock: Callable[[], float] = time.monotonic
    _known: dict[Hashable, tuple[float, Floor]] = field(default_factory=dict)

    def of(self, who: Hashable, look: Callable[[], Floor]) -> Floor:
        """What was found lately, or what `look` finds now."""
        now = self.clock()
        known = self._known.get(who)
        if known is None or now - known[0] >= self.look_every:
            known = self._known[who] = (now, look())
        return known[1]

    def forget(self, who: Hashable) -> None:
        """So that the next claim looks anew: after a fault, which may have led to another server,
        and where nothing waited, since what hung in a commit meanwhile may be of any age.
        """
        self._known.pop(who, None)
