"""The only INSERT into work_items."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import (
    Connection,
    Engine,
    Interval,
    bindparam,
    func,
    literal,
    literal_column,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from typing_extensions import override

from adapters.postgres.connections import (
    DEADLOCK_DETECTED,
    FOREIGN_KEY_VIOLATION,
    MOST_TRIES,
    again_on,
    one_transaction,
    sqlstate_of,
)
from adapters.postgres.dedup_lock import try_key, wait_for_key
from adapters.postgres.hot_statement import compiled, hot_connection
from adapters.postgres.tables import WORK_ITEMS
from adapters.postgres.transactions import connection_of
from application.ports.transactions import Transaction
from application.ports.work_queue import Enqueued, NewWorkItem, WorkQueue
from domain.errors import DatabaseUnavailable, NotFound
from domain.work.transitions import TABLE, Transition, sources_of

_QUEUED = TABLE[Transition.ENQUEUE].target
_LIVE = sorted(sources_of(Transition.CLAIM, Transition.HEARTBEAT))
_IS_QUEUED = WORK_ITEMS.c.status == literal_column(f"'{_QUEUED.value}'")
_HAS_KEY = WORK_ITEMS.c.dedup_key.is_not(None)
_REQUEST = ("id", "kind", "payload", "storage_config_id", "dedup_key", "requested_by")
_INSERT = (
    insert(WORK_ITEMS)
    .values({name: bindparam(name) for name in _REQUEST})
    .on_conflict_do_nothing(
        index_elements=[WORK_ITEMS.c.dedup_key], index_where=_IS_QUEUED & _HAS_KEY
    )
    .returning(WORK_ITEMS.c.id)
)
INSERT_AT_ONCE = compiled(_INSERT)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresWorkQueue(WorkQueue):
    engine: Engine

    @override
    def enqueue(self, item: NewWorkItem) -> Enqueued:
        if item.dedup_key is None:
            try:
                with hot_connection(self.engine) as driver:
                    INSERT_AT_ONCE.rows(driver, _columns(item))
            except IntegrityError as error:
                raise _refusal(error, item) from error
            return Enqueued(id=item.id, coalesced=False)
        return again_on((DEADLOCK_DETECTED,), lambda: self._enqueue_keyed(item))

    @override
    def enqueue_within(
        self, transaction: Transaction, items: Sequence[NewWorkItem]
    ) -> Sequence[Enqueued]:
        connection = connection_of(transaction)
        answers = {
            item.id: _enqueue(connection, item, hold_twin=True)
            for item in sorted(items, key=lambda each: each.dedup_key or "")
        }
        return [answers[item.id] for item in items]

    @override
    def enqueue_if_due(self, item: NewWorkItem, interval: timedelta) -> Enqueued | None:
        assert item.dedup_key is not None  # noqa: S101  # a periodic kind has a key
        try:
            with one_transaction(self.engine) as connection:
                if not try_key(connection, item.dedup_key):
                    return None
                # A second statement: its snapshot is younger than the lock.
                return _insert_if_due(connection, item, interval)
        except NotFound:
            return None

    def _enqueue_keyed(self, item: NewWorkItem) -> Enqueued:
        with one_transaction(self.engine) as connection:
            return _enqueue(connection, item, hold_twin=False)


def _enqueue(connection: Connection, item: NewWorkItem, *, hold_twin: bool) -> Enqueued:
    if item.dedup_key is None:
        _insert(connection, item)
        return Enqueued(id=item.id, coalesced=False)
    wait_for_key(connection, item.dedup_key)
    for _ in range(MOST_TRIES):
        if _insert(connection, item):
            return Enqueued(id=item.id, coalesced=False)
        twin = select(WORK_ITEMS.c.id).where(WORK_ITEMS.c.dedup_key == item.dedup_key, _IS_QUEUED)
        if hold_twin:
            twin = twin.with_for_update(read=True)
        if found := connection.execute(twin).scalar_one_or_none():
            return Enqueued(id=found, coalesced=True)
    raise DatabaseUnavailable("the waiting item changed at every look; try again")


def _insert(connection: Connection, item: NewWorkItem) -> bool:
    try:
        return connection.execute(_INSERT, _columns(item)).first() is not None
    except IntegrityError as error:
        raise _refusal(error, item) from error


def _insert_if_due(
    connection: Connection, item: NewWorkItem, interval: timedelta
) -> Enqueued | None:
    twin = WORK_ITEMS.alias("twin")
    recently = func.clock_timestamp() - bindparam("interval", interval, type_=Interval)
    not_due = select(twin.c.id).where(
        twin.c.dedup_key == item.dedup_key,
        or_(twin.c.status.in_(_LIVE), twin.c.finished_at > recently),
    )
    columns = _columns(item)
    row = select(
        *(literal(value, WORK_ITEMS.c[name].type) for name, value in columns.items())
    ).where(~not_due.exists())
    statement = (
        insert(WORK_ITEMS)
        .from_select(list(columns), row)
        .on_conflict_do_nothing()
        .returning(WORK_ITEMS.c.id)
    )
    try:
        inserted = connection.execute(statement).first()
    except IntegrityError as error:
        raise _refusal(error, item) from error
    return Enqueued(id=item.id, coalesced=False) if inserted else None


def _columns(item: NewWorkItem) -> dict[str, object]:
    return {
        "id": item.id,
        "kind": item.kind,
        "payload": dict(item.payload),
        "storage_config_id": item.storage_config_id,
        "dedup_key": item.dedup_key,
        "requested_by": item.requested_by,
    }


def _refusal(error: IntegrityError, item: NewWorkItem) -> Exception:
    if sqlstate_of(error) == FOREIGN_KEY_VIOLATION:
        return NotFound(f"storage config {item.storage_config_id} does not exist")
    return error
