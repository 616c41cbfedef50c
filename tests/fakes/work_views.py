"""What reads and purges the in-memory table of work items."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from typing_extensions import override

from application.ports.periodic_runs import (
    CurrentRun,
    FinishedRun,
    PeriodicHistory,
    PeriodicRuns,
    Runs,
)
from application.ports.work_item_changes import Change, ChangeBatch, WorkItemChanges
from application.ports.work_item_counts import KindCount, WorkItemCounter, WorkItemCounts
from application.ports.work_item_purger import Purged, PurgePosition, WorkItemPurger
from application.ports.work_item_reader import (
    LISTED_ERROR_CHARACTERS,
    ListedItem,
    ListFilter,
    WorkItemDetail,
    WorkItemPage,
    WorkItemReader,
)
from domain.work.attempt import AttemptTag, ClaimLost
from domain.work.item import WorkItem
from domain.work.status import WorkStatus
from tests.fakes.work_table import InMemoryWorkTable


def matching(table: InMemoryWorkTable, which: ListFilter) -> list[WorkItem]:
    return [
        item
        for item in table.items.values()
        if (not which.statuses or item.status in which.statuses)
        and (not which.kinds or item.kind in which.kinds)
        and (not which.scopes or item.storage_config_id in which.scopes)
    ]


class InMemoryWorkItemReader(WorkItemReader):
    def __init__(self, table: InMemoryWorkTable) -> None:
        self._table = table

    @override
    def page(self, which: ListFilter, *, offset: int, limit: int, count_up_to: int) -> WorkItemPage:
        found = matching(self._table, which)
        found.sort(key=lambda item: (item.requested_at, item.id), reverse=True)
        changed = [item.updated_at for item in self._table.items.values()]
        return WorkItemPage(
            items=[listed(item) for item in found[offset : offset + limit]],
            total=min(len(found), count_up_to),
            total_is_capped=len(found) > count_up_to,
            cursor=max([*changed, *self._table.removed.values()], default=self._table.now()),
            server_time=self._table.now(),
        )

    @override
    def get(self, item_id: UUID) -> WorkItemDetail | None:
        item = self._table.items.get(item_id)
        return WorkItemDetail(item=item, server_time=self._table.now()) if item else None


class InMemoryWorkItemCounter(WorkItemCounter):
    def __init__(self, table: InMemoryWorkTable) -> None:
        self._table = table

    @override
    def count(self, which: ListFilter, *, up_to: int, scoped_up_to: int) -> WorkItemCounts:
        found = matching(self._table, which)
        many = bool(which.scopes) and len(found) > scoped_up_to
        seen = Counter((item.kind, item.status) for item in found)
        most = scoped_up_to if which.scopes else up_to
        return WorkItemCounts(
            counts=[
                KindCount(
                    kind=kind,
                    status=status,
                    count=min(count, most),
                    is_capped=many or count > most,
                )
                for (kind, status), count in sorted(seen.items())
            ],
            server_time=self._table.now(),
        )


class InMemoryPeriodicRuns(PeriodicRuns):
    def __init__(self, table: InMemoryWorkTable) -> None:
        self._table = table

    @override
    def of(self, keys: Sequence[str]) -> PeriodicHistory:
        return PeriodicHistory(
            runs={key: self._runs(key) for key in keys}, server_time=self._table.now()
        )

    def _runs(self, key: str) -> Runs:
        mine = [item for item in self._table.items.values() if item.dedup_key == key]
        ended = [
            FinishedRun(item_id=item.id, status=item.status, finished_at=item.finished_at)
            for item in mine
            if item.finished_at
        ]
        current = sorted(
            (item for item in mine if not item.is_finished()), key=lambda item: item.status
        )
        return Runs(
            last=max(ended, key=lambda run: run.finished_at, default=None),
            current=CurrentRun(item_id=current[-1].id, status=current[-1].status)
            if current
            else None,
        )


class InMemoryWorkItemChanges(WorkItemChanges):
    def __init__(self, table: InMemoryWorkTable) -> None:
        self._table = table

    @override
    def newest(self, most: int) -> ChangeBatch:
        return self._batch(self._all(), most)

    @override
    def since(self, instant: datetime, most: int) -> ChangeBatch:
        return self._batch([each for each in self._all() if each.changed_at > instant], most)

    def _all(self) -> list[Change]:
        items = [
            Change(item_id=item.id, changed_at=item.updated_at, item=listed(item))
            for item in self._table.items.values()
        ]
        gone = [
            Change(item_id=item_id, changed_at=removed_at, item=None)
            for item_id, removed_at in self._table.removed.items()
        ]
        return sorted([*items, *gone], key=lambda each: (each.changed_at, each.item_id))

    def _batch(self, changes: list[Change], most: int) -> ChangeBatch:
        return ChangeBatch(
            changes=changes[-most:],
            is_complete=len(changes) <= most,
            leases={i.id: i.lease_until for i in self._table.items.values() if i.lease_until},
            server_time=self._table.now(),
        )


class InMemoryWorkItemPurger(WorkItemPurger):
    def __init__(self, table: InMemoryWorkTable) -> None:
        self._table = table

    @override
    def purge(
        self, tag: AttemptTag, *, older_than: timedelta, after: PurgePosition | None, most: int
    ) -> Purged:
        mine = self._table.items.get(tag.item_id)
        if mine is None or mine.tag() != tag or mine.status is not WorkStatus.RUNNING:
            raise ClaimLost(tag)
        oldest = self._table.now() - older_than
        start = (after.finished_at, after.item_id) if after else None
        old = sorted(
            (item.finished_at, item.id)
            for item in self._table.items.values()
            if item.finished_at and item.finished_at < oldest
        )
        batch = [each for each in old if start is None or each > start][:most]
        for _, item_id in batch:
            del self._table.items[item_id]
        notes = [key for key, at in self._table.removed.items() if at < oldest][:most]
        for key in notes:
            del self._table.removed[key]
        last = batch[-1] if len(batch) == most else None
        return Purged(
            items=len(batch),
            rows=len(notes),
            position=last and PurgePosition(finished_at=last[0], item_id=last[1]),
        )


def listed(item: WorkItem) -> ListedItem:
    error = item.error and item.error[:LISTED_ERROR_CHARACTERS]
    return ListedItem(
        item=replace(item, payload={}, dedup_key=None, error=error), result_omitted=False
    )
