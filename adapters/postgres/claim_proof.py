"""Proves, inside a transaction that changes shared state, that its run still holds its claim.

The item's row is locked until the commit, so recovery and reclaim wait for the transaction or the
transaction finds itself fenced off; a Worker that thaws after minutes changes nothing.
"""

from enum import Enum, auto
from typing import assert_never

from sqlalchemy import Connection, select

from adapters.postgres.tables import WORK_ITEMS
from domain.work.attempt import AttemptTag, ClaimLost
from domain.work.status import WorkStatus


class ProofLock(Enum):
    """How the item's row is held until the commit."""

    SHARED_WITH_BEATS = auto()
    """FOR KEY SHARE: heartbeats and outcomes pass; recovery, release and deletion don't."""
    STOPS_ALL_UPDATES = auto()
    """FOR SHARE: every update of the row waits, beats too.

    For short batches, and for what no rollback undoes.
    A transaction that shares the row with beats may prove once more with this lock.
    """


def prove_claim(
    connection: Connection, tag: AttemptTag, lock: ProofLock = ProofLock.SHARED_WITH_BEATS
) -> None:
    """Lock the item's row, or raise ClaimLost when the attempt is not the running one."""
    row = select(WORK_ITEMS.c.id).where(
        WORK_ITEMS.c.id == tag.item_id,
        WORK_ITEMS.c.attempt == tag.attempt,
        WORK_ITEMS.c.status == WorkStatus.RUNNING,
    )
    match lock:
        case ProofLock.SHARED_WITH_BEATS:
            held = connection.execute(row.with_for_update(read=True, key_share=True))
        case ProofLock.STOPS_ALL_UPDATES:
            held = connection.execute(row.with_for_update(read=True))
        case _:
            assert_never(lock)
    if held.first() is None:
        raise ClaimLost(tag)
