"""Where a claim's look begins: the instant before which nothing waits that was never claimed.

A snapshot that somebody holds open keeps the index entries of claimed items, and every claim would
step over all of them. They lie before the oldest item that still waits, so a Worker remembers where
that was. Nothing may turn up behind it later but an item that was claimed before and given back,
which the claim looks for by itself, and a request whose transaction was still open at the look;
the floor stays so far in the past that none of these can be older. docs/adr/0014 has the figures.
"""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from sqlalchemy import ARRAY, Interval, Text, Uuid, bindparam, text
from sqlalchemy.sql.expression import TextClause

from adapters.postgres.claim_pairs import EVERY_SCOPE, HEAD, pairs

LOOK_EVERY_SECONDS: Final = 5.0
"""Also how long a step back of the database's clock can hide a request behind others."""

# The instant is of before the snapshot: later ones could hide what the snapshot does not see yet.
# Scopes that are not active count too: their items must not be overtaken when they become so.
_FLOOR = f"""
    SELECT least(statement_timestamp() - :latest_commit, min(first.requested_at)) AS floor
    FROM ({pairs(EVERY_SCOPE)}) pair
    CROSS JOIN (SELECT '-infinity'::timestamptz AS at) floor
    CROSS JOIN LATERAL ({HEAD}) first
"""  # noqa: S608  # names and constants of ours


def floor_statement() -> TextClause:
    """One row with the floor; parameters user_id, kinds, latest_commit."""
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
    _known: dict[Hashable, tuple[float, datetime]] = field(default_factory=dict)

    def of(self, who: Hashable, look: Callable[[], datetime]) -> datetime:
        """What was found lately, or what `look` finds now."""
        now = self.clock()
        known = self._known.get(who)
        if known is None or now - known[0] >= self.look_every:
            known = self._known[who] = (now, look())
        return known[1]
