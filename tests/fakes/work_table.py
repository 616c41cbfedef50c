"""One in-memory table behind the work ports. The rules come from the domain's table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from typing_extensions import override

from application.ports.due_work import DueWork
from application.ports.served_scopes import ServedScopes
from application.ports.transactions import Transaction, Transactions
from application.ports.work_item_canceller import (
    AlreadyFinished,
    CancelAnswer,
    CancelledAtOnce,
    CancelRequested,
    WorkItemCanceller,
)
from application.ports.work_item_execution import (
    Answer,
    Beat,
    BeatAnswer,
    ClaimRequest,
    Refused,
    Settled,
    WorkItemExecution,
)
from application.ports.work_queue import Enqueued, NewWorkItem, WorkQueue
from domain.errors import NotFound
from domain.work.attempt import AttemptTag
from domain.work.due import History, is_due
from domain.work.item import Occasion, WorkItem
from domain.work.outcome import Cancelled, Failed, Succeeded
from domain.work.progress import Progress
from domain.work.status import WorkStatus
from domain.work.transitions import AFTER_RELEASE, AFTER_STALL, ON_CANCEL, Transition


@dataclass
class Config:
    user_id: UUID
    is_active: bool = True


@dataclass
class InMemoryWorkTable:
    now: Callable[[], datetime]
    items: dict[UUID, WorkItem] = field(default_factory=dict)
    removed: dict[UUID, datetime] = field(default_factory=dict)
    configs: dict[UUID, Config] = field(default_factory=dict)
    disabled_users: set[UUID] = field(default_factory=set)
    logins: dict[str, UUID] = field(default_factory=dict)

    def is_active(self, config_id: UUID) -> bool:
        config = self.configs[config_id]
        return config.is_active and config.user_id not in self.disabled_users

    def queued_twin(self, item: WorkItem) -> UUID | None:
        return next(
            (
                other.id
                for other in self.items.values()
                if item.dedup_key is not None
                and other.dedup_key == item.dedup_key
                and other.status is WorkStatus.QUEUED
                and other.id != item.id
            ),
            None,
        )

    def save(self, item: WorkItem) -> WorkItem:
        self.items[item.id] = item
        return item

    def delete_config(self, config_id: UUID) -> None:
        del self.configs[config_id]
        for item in [i for i in self.items.values() if i.storage_config_id == config_id]:
            del self.items[item.id]
            if not item.is_finished():
                self.removed[item.id] = self.now()


class InMemoryTransaction(Transaction):
    pass


class InMemoryTransactions(Transactions):
    @override
    def begin(self) -> AbstractContextManager[Transaction]:
        return self._begin()

    @contextmanager
    def _begin(self) -> Iterator[Transaction]:
        yield InMemoryTransaction()


class InMemoryWorkQueue(WorkQueue):
    def __init__(self, table: InMemoryWorkTable) -> None:
        self._table = table

    @override
    def enqueue(self, item: NewWorkItem) -> Enqueued:
        if item.storage_config_id not in {None, *self._table.configs}:
            raise NotFound(f"storage config {item.storage_config_id} does not exist")
        new = WorkItem(
            id=item.id,
            kind=item.kind,
            payload=item.payload,
            storage_config_id=item.storage_config_id,
            dedup_key=item.dedup_key,
            requested_by=item.requested_by,
            requested_at=self._table.now(),
            updated_at=self._table.now(),
        )
        if twin := self._table.queued_twin(new):
            return Enqueued(id=twin, coalesced=True)
        self._table.save(new)
        return Enqueued(id=new.id, coalesced=False)

    @override
    def enqueue_within(
        self, transaction: Transaction, items: Sequence[NewWorkItem]
    ) -> Sequence[Enqueued]:
        assert isinstance(transaction, InMemoryTransaction)
        return [self.enqueue(item) for item in items]

    @override
    def enqueue_if_due(self, item: NewWorkItem, interval: timedelta) -> Enqueued | None:
        assert item.dedup_key
        if item.dedup_key not in InMemoryDueWork(self._table).due({item.dedup_key: interval}):
            return None
        return (
            self.enqueue(item) if item.storage_config_id in {None, *self._table.configs} else None
        )


class InMemoryDueWork(DueWork):
    def __init__(self, table: InMemoryWorkTable) -> None:
        self._table = table

    @override
    def due(self, intervals: Mapping[str, timedelta]) -> frozenset[str]:
        now = self._table.now()
        return frozenset(
            key
            for key, interval in intervals.items()
            if is_due(self._history(key), interval=interval, now=now)
        )

    def _history(self, key: str) -> History:
        mine = [item for item in self._table.items.values() if item.dedup_key == key]
        ends = [item.finished_at for item in mine if item.finished_at]
        return History(
            is_queued_or_running=any(not item.is_finished() for item in mine),
            last_finished_at=max(ends, default=None),
        )


class InMemoryServedScopes(ServedScopes):
    def __init__(self, table: InMemoryWorkTable) -> None:
        self._table = table

    @override
    def user_named(self, login: str) -> UUID | None:
        return self._table.logins.get(login.lower())

    @override
    def active(self, user_id: UUID | None) -> Sequence[UUID]:
        return sorted(
            config_id
            for config_id, config in self._table.configs.items()
            if self._table.is_active(config_id) and user_id in {None, config.user_id}
        )


class InMemoryWorkItemCanceller(WorkItemCanceller):
    def __init__(self, table: InMemoryWorkTable) -> None:
        self._table = table

    @override
    def cancel(self, item_id: UUID) -> CancelAnswer | None:
        item = self._table.items.get(item_id)
        if item is None:
            return None
        if item.is_finished():
            return AlreadyFinished(item)
        if item.cancel_requested_at is not None:
            return CancelRequested(item)
        changed = self._table.save(item.apply_first(ON_CANCEL, Occasion(now=self._table.now())))
        return CancelledAtOnce(changed) if changed.is_finished() else CancelRequested(changed)


class InMemoryWorkItemExecution(WorkItemExecution):
    def __init__(self, table: InMemoryWorkTable) -> None:
        self._table = table

    @override
    def claim(self, request: ClaimRequest) -> WorkItem | None:
        scopes = {None, *InMemoryServedScopes(self._table).active(request.serves.user_id)}
        waiting = [
            item
            for item in self._table.items.values()
            if item.status is WorkStatus.QUEUED
            and item.kind in request.kinds
            and item.storage_config_id in scopes
        ]
        if not waiting:
            return None
        oldest = min(waiting, key=lambda item: (item.requested_at, item.id))
        occasion = Occasion(now=self._table.now(), worker=request.worker, lease=request.lease)
        return self._table.save(oldest.apply(Transition.CLAIM, occasion))

    @override
    def heartbeat(self, tag: AttemptTag, progress: Progress, lease: timedelta) -> BeatAnswer:
        occasion = Occasion(
            now=self._table.now(), attempt=tag.attempt, progress=progress, lease=lease
        )
        item = self._apply(tag, Transition.HEARTBEAT, occasion)
        if isinstance(item, Refused):
            return item
        return Beat(cancel_requested=item.cancel_requested_at is not None)

    @override
    def finish(
        self, tag: AttemptTag, outcome: Succeeded | Failed | Cancelled, progress: Progress
    ) -> Answer:
        occasion = Occasion(now=self._table.now(), attempt=tag.attempt, progress=progress)
        transition, occasion = _ending(outcome, occasion)
        before = self._table.items.get(tag.item_id)
        item = self._apply(tag, transition, occasion)
        if not isinstance(item, Refused):
            return Settled(status=item.status)
        ends = {
            Transition.SUCCEED: WorkStatus.SUCCEEDED,
            Transition.FAIL: WorkStatus.FAILED,
            Transition.END_AS_CANCELLED: WorkStatus.CANCELLED,
        }
        if before and before.tag() == tag and before.status is ends[transition]:
            return Settled(status=before.status)
        return item

    @override
    def finish_and_claim(
        self,
        tag: AttemptTag,
        outcome: Succeeded | Failed,
        progress: Progress,
        request: ClaimRequest,
    ) -> tuple[Answer, WorkItem | None]:
        return self.finish(tag, outcome, progress), self.claim(request)

    @override
    def release(self, tag: AttemptTag, partial: Mapping[str, object] | None) -> Answer:
        return self._settle_mine(
            tag, AFTER_RELEASE, Occasion(now=self._table.now(), result=partial)
        )

    @override
    def recover_dead(self, tag: AttemptTag, *, stall_limit: int) -> Answer:
        occasion = Occasion(
            now=self._table.now(), stalled=True, run_died=True, stall_limit=stall_limit
        )
        return self._settle_mine(tag, AFTER_STALL, occasion)

    @override
    def stalled(self, most: int) -> Sequence[UUID]:
        now = self._table.now()
        expired = [item for item in self._table.items.values() if item.lease_ran_out(now)]
        return [i.id for i in sorted(expired, key=lambda i: (i.lease_until, i.id))][:most]

    @override
    def recover(self, item_id: UUID, *, stall_limit: int) -> Answer:
        item = self._table.items.get(item_id)
        if item is None:
            return Refused.UNKNOWN
        if item.is_finished():
            return Refused.FINISHED
        occasion = Occasion(
            now=self._table.now(),
            stalled=True,
            stall_limit=stall_limit,
            queued_twin=self._table.queued_twin(item),
        )
        if not any(item.allows(transition, occasion) for transition in AFTER_STALL):
            return Refused.NOT_NOW
        return Settled(status=self._table.save(item.apply_first(AFTER_STALL, occasion)).status)

    def _settle_mine(
        self, tag: AttemptTag, transitions: Sequence[Transition], occasion: Occasion
    ) -> Answer:
        item = self._table.items.get(tag.item_id)
        if item is None:
            return Refused.UNKNOWN
        occasion = replace(occasion, attempt=tag.attempt, queued_twin=self._table.queued_twin(item))
        if any(item.allows(transition, occasion) for transition in transitions):
            return Settled(status=self._table.save(item.apply_first(transitions, occasion)).status)
        if item.attempt == tag.attempt and item.status is not WorkStatus.RUNNING:
            return Settled(status=item.status)
        return Refused.FINISHED if item.is_finished() else Refused.FENCED_OFF

    def _apply(
        self, tag: AttemptTag, transition: Transition, occasion: Occasion
    ) -> WorkItem | Refused:
        item = self._table.items.get(tag.item_id)
        if item is None:
            return Refused.UNKNOWN
        if item.allows(transition, occasion):
            return self._table.save(item.apply(transition, occasion))
        if item.attempt == tag.attempt and item.status is WorkStatus.RUNNING:
            return Refused.NOT_NOW
        return Refused.FINISHED if item.is_finished() else Refused.FENCED_OFF


def _ending(
    outcome: Succeeded | Failed | Cancelled, occasion: Occasion
) -> tuple[Transition, Occasion]:
    match outcome:
        case Succeeded(result):
            return Transition.SUCCEED, replace(occasion, result=result)
        case Failed(error):
            return Transition.FAIL, replace(occasion, error=error)
        case Cancelled(partial):
            return Transition.END_AS_CANCELLED, replace(occasion, result=partial)
