"""One lock a dedup key, taken by whoever inserts, releases or recovers an item with that key.

It lives as long as the transaction, so it works through a transaction pooler. Taking it on one
side only would not do: the other side would not see the twin that is about to be committed.
"""

from sqlalchemy import Connection, func, select

NAMESPACE = 276


def wait_for_key(connection: Connection, key: str) -> None:
    """Hold the key until the transaction ends; bounded by the lock time-out."""
    connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(key, NAMESPACE))))


def try_key(connection: Connection, key: str) -> bool:
    """Hold the key until the transaction ends, unless somebody else holds it."""
    locked = func.pg_try_advisory_xact_lock(func.hashtextextended(key, NAMESPACE))
    return bool(connection.execute(select(locked)).scalar_one())
