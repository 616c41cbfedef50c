"""Advisory locks that make decisions over several rows one at a time."""

from enum import IntEnum

from sqlalchemy import Connection, func, select


class Decision(IntEnum):
    """What is decided under the lock; the numbers are the locks' keys."""

    WHO_ADMINISTERS = 2_760_002
    WHO_HAS_THE_FOLDER = 2_760_003


def decide_alone(connection: Connection, decision: Decision) -> None:
    """Wait for the lock and hold it until the commit.

    What the decision reads must be read in a later statement: this one's snapshot may be older
    than the lock.
    """
    connection.execute(select(func.pg_advisory_xact_lock(int(decision))))
