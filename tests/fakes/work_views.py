"""What reads and purges the in-memory table of work items."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from typing_extensions import override

from application.ports.work_item_changes import Change, ChangeBatch, WorkItemChanges
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


class InMemoryWorkItemReader(WorkItemReader):
    def __init__(self, table: InMemoryWorkTable) -> None:
        self._table = table

    @override
    def page(self, which: ListFilter, *, offset: int, limit: int, count_up_to: int) -> WorkItemPage:
        matching = [
            item
            for item in self._table.items.values()
            if (not which.statuses or item.status in which.statuses)
            and (not which.kinds or item.kind in which.kinds)
        ]
        matching.sort(key=lambda item: (item.requested_at, item.id), reverse=True)
        changed = [item.updated_at for item in self._table.items.values()]
        return WorkItemPage(
            items=[listed(item) for item in matching[offset : offset + limit]],
            total=min(len(matching), count_up_to),
            total_is_capped=len(matching) > count_up_to,
            cursor=max([*changed, *self._table.removed.values()], default=self._table.now()),
            server_time=self._table.now(),
        )

    @override
    def get(self, item_id: UUID) -> WorkItemDetail | None:
        item = self._table.items.get(item_id)
        return WorkItemDetail(item=item, server_time=self._table.now()) if item else None


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
