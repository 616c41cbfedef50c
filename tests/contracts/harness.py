"""The same ports over memory and over PostgreSQL, with time that can be moved."""

import time
from abc import abstractmethod
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID, uuid4

from sqlalchemy import Engine, text
from typing_extensions import override

from adapters.postgres.claim_floor import ClaimFloors
from adapters.postgres.due_work import PostgresDueWork
from adapters.postgres.periodic_runs import PostgresPeriodicRuns
from adapters.postgres.served_scopes import PostgresServedScopes
from adapters.postgres.transactions import PostgresTransactions
from adapters.postgres.work_item_canceller import PostgresWorkItemCanceller
from adapters.postgres.work_item_changes import PostgresWorkItemChanges
from adapters.postgres.work_item_counter import PostgresWorkItemCounter
from adapters.postgres.work_item_execution import PostgresWorkItemExecution
from adapters.postgres.work_item_purger import PostgresWorkItemPurger
from adapters.postgres.work_item_reader import PostgresWorkItemReader
from adapters.postgres.work_queue import PostgresWorkQueue
from application.ports.due_work import DueWork
from application.ports.periodic_runs import PeriodicRuns
from application.ports.served_scopes import ServedScopes
from application.ports.transactions import Transactions
from application.ports.work_item_canceller import WorkItemCanceller
from application.ports.work_item_changes import WorkItemChanges
from application.ports.work_item_counts import WorkItemCounter
from application.ports.work_item_execution import ClaimRequest, Serves, WorkItemExecution
from application.ports.work_item_purger import WorkItemPurger
from application.ports.work_item_reader import WorkItemReader
from application.ports.work_queue import NewWorkItem, WorkQueue
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.kind import WorkKind
from tests.fakes.clock import HandMovedClock
from tests.fakes.work_table import (
    Config,
    InMemoryDueWork,
    InMemoryServedScopes,
    InMemoryTransactions,
    InMemoryWorkItemCanceller,
    InMemoryWorkItemExecution,
    InMemoryWorkQueue,
    InMemoryWorkTable,
)
from tests.fakes.work_views import (
    InMemoryPeriodicRuns,
    InMemoryWorkItemChanges,
    InMemoryWorkItemCounter,
    InMemoryWorkItemPurger,
    InMemoryWorkItemReader,
)

LEASE = timedelta(seconds=60)
KINDS = tuple(WorkKind)


def claim_request(
    user_id: UUID | None = None, kinds: tuple[str, ...] = KINDS, worker: str = "all@here"
) -> ClaimRequest:
    return ClaimRequest(serves=Serves(user_id=user_id), kinds=kinds, worker=worker, lease=LEASE)


class WorkPorts(Protocol):
    """Everything about work items, and the hands to arrange the rest of the world."""

    queue: WorkQueue
    transactions: Transactions
    execution: WorkItemExecution
    canceller: WorkItemCanceller
    reader: WorkItemReader
    counter: WorkItemCounter
    periodic_runs: PeriodicRuns
    changes: WorkItemChanges
    purger: WorkItemPurger
    due_work: DueWork
    scopes: ServedScopes

    @abstractmethod
    def now(self) -> datetime: ...

    @abstractmethod
    def advance(self, span: timedelta) -> None: ...

    @abstractmethod
    def add_user(self) -> UUID: ...

    @abstractmethod
    def add_config(self, user_id: UUID | None = None) -> UUID: ...

    @abstractmethod
    def set_active(self, config_id: UUID, is_active: bool) -> None: ...

    @abstractmethod
    def disable_user(self, user_id: UUID) -> None: ...

    @abstractmethod
    def delete_config(self, config_id: UUID) -> None: ...

    def enqueue(
        self,
        kind: str = WorkKind.TOKEN_CLEANUP,
        *,
        key: str | None = None,
        scope: UUID | None = None,
        item_id: UUID | None = None,
    ) -> UUID:
        return self.queue.enqueue(new_item(kind, key=key, scope=scope, item_id=item_id)).id

    def claim(
        self, user_id: UUID | None = None, kinds: tuple[str, ...] = KINDS, worker: str = "all@here"
    ) -> WorkItem | None:
        return self.execution.claim(claim_request(user_id, kinds, worker))

    def claimed(self, user_id: UUID | None = None) -> AttemptTag:
        item = self.claim(user_id)
        assert item is not None
        return item.tag()

    def item(self, item_id: UUID) -> WorkItem:
        detail = self.reader.get(item_id)
        assert detail is not None
        return detail.item

    def expire(self) -> None:
        self.advance(LEASE + timedelta(seconds=1))


def new_item(
    kind: str = WorkKind.TOKEN_CLEANUP,
    *,
    key: str | None = None,
    scope: UUID | None = None,
    item_id: UUID | None = None,
    requested_by: UUID | None = None,
) -> NewWorkItem:
    return NewWorkItem(
        id=item_id or uuid4(),
        kind=kind,
        payload={"kind": kind},
        storage_config_id=scope,
        dedup_key=key,
        requested_by=requested_by,
    )


class InMemoryPorts(WorkPorts):
    def __init__(self) -> None:
        self._clock = HandMovedClock()
        self.table = InMemoryWorkTable(now=self._clock)
        self.queue = InMemoryWorkQueue(self.table)
        self.transactions = InMemoryTransactions()
        self.execution = InMemoryWorkItemExecution(self.table)
        self.canceller = InMemoryWorkItemCanceller(self.table)
        self.reader = InMemoryWorkItemReader(self.table)
        self.counter = InMemoryWorkItemCounter(self.table)
        self.periodic_runs = InMemoryPeriodicRuns(self.table)
        self.changes = InMemoryWorkItemChanges(self.table)
        self.purger = InMemoryWorkItemPurger(self.table)
        self.due_work = InMemoryDueWork(self.table)
        self.scopes = InMemoryServedScopes(self.table)

    @override
    def now(self) -> datetime:
        return self._clock()

    @override
    def advance(self, span: timedelta) -> None:
        self._clock.advance(span)

    @override
    def enqueue(
        self,
        kind: str = WorkKind.TOKEN_CLEANUP,
        *,
        key: str | None = None,
        scope: UUID | None = None,
        item_id: UUID | None = None,
    ) -> UUID:
        # A real clock never stands still between two requests.
        self.advance(timedelta(microseconds=1))
        return super().enqueue(kind, key=key, scope=scope, item_id=item_id)

    @override
    def claim(
        self, user_id: UUID | None = None, kinds: tuple[str, ...] = KINDS, worker: str = "all@here"
    ) -> WorkItem | None:
        self.advance(timedelta(microseconds=1))
        return super().claim(user_id, kinds, worker)

    @override
    def add_user(self) -> UUID:
        user_id = uuid4()
        self.table.logins[str(user_id)] = user_id
        return user_id

    @override
    def add_config(self, user_id: UUID | None = None) -> UUID:
        config_id = uuid4()
        self.table.configs[config_id] = Config(user_id=user_id or uuid4())
        return config_id

    @override
    def set_active(self, config_id: UUID, is_active: bool) -> None:
        self.table.configs[config_id].is_active = is_active

    @override
    def disable_user(self, user_id: UUID) -> None:
        self.table.disabled_users.add(user_id)

    @override
    def delete_config(self, config_id: UUID) -> None:
        self.table.delete_config(config_id)


_INSTANTS = (
    "requested_at",
    "started_at",
    "lease_until",
    "finished_at",
    "updated_at",
    "cancel_requested_at",
)


@dataclass
class PostgresPorts(WorkPorts):
    """The database's clock cannot be moved, so all stored instants are moved into the past.

    `engine` is the owner's, who arranges the world; `api` and `worker` are of the hosts' roles,
    where a test wants to know that these are enough.
    """

    engine: Engine
    api: Engine | None = None
    worker: Engine | None = None
    ahead: timedelta = field(default_factory=timedelta)

    def __post_init__(self) -> None:
        api, worker = self.api or self.engine, self.worker or self.engine
        # Both hosts enqueue; the API's role may do less.
        self.queue = PostgresWorkQueue(engine=api)
        self.transactions = PostgresTransactions(engine=api)
        self.canceller = PostgresWorkItemCanceller(engine=api)
        self.reader = PostgresWorkItemReader(engine=api)
        self.counter = PostgresWorkItemCounter(engine=api)
        self.periodic_runs = PostgresPeriodicRuns(engine=api)
        self.changes = PostgresWorkItemChanges(engine=api)
        floors = ClaimFloors(clock=lambda: time.monotonic() + self.ahead.total_seconds())
        self.execution = PostgresWorkItemExecution(engine=worker, floors=floors)
        self.purger = PostgresWorkItemPurger(engine=worker)
        self.due_work = PostgresDueWork(engine=worker)
        self.scopes = PostgresServedScopes(engine=worker)

    def run(self, statement: str, **parameters: object) -> None:
        with self.engine.begin() as connection:
            connection.execute(text(statement), parameters)

    @override
    def now(self) -> datetime:
        with self.engine.connect() as connection:
            now: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
        return now

    @override
    def advance(self, span: timedelta) -> None:
        shifts = ", ".join(f"{name} = {name} - :span" for name in _INSTANTS)
        self.run(f"UPDATE work_items SET {shifts}", span=span)
        self.run("UPDATE work_item_removals SET removed_at = removed_at - :span", span=span)
        self.ahead += span

    @override
    def add_user(self) -> UUID:
        user_id = uuid4()
        self.run(
            "INSERT INTO users (id, name, email, password_hash) VALUES (:id, :name, :name, '')",
            id=user_id,
            name=str(user_id),
        )
        return user_id

    @override
    def add_config(self, user_id: UUID | None = None) -> UUID:
        config_id = uuid4()
        self.run(
            "INSERT INTO storage_configs (id, user_id, root_path, time_zone)"
            " VALUES (:id, :user_id, :root, 'UTC')",
            id=config_id,
            user_id=user_id or self.add_user(),
            root=f"/data/originals/{config_id}",
        )
        return config_id

    @override
    def set_active(self, config_id: UUID, is_active: bool) -> None:
        self.run(
            "UPDATE storage_configs SET is_active = :active WHERE id = :id",
            id=config_id,
            active=is_active,
        )

    @override
    def disable_user(self, user_id: UUID) -> None:
        self.run("UPDATE users SET is_disabled = true WHERE id = :id", id=user_id)

    @override
    def delete_config(self, config_id: UUID) -> None:
        self.run("DELETE FROM storage_configs WHERE id = :id", id=config_id)
