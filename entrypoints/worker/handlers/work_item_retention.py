"""Deletes items that finished long ago, and their result rows, batch by batch."""

from dataclasses import dataclass
from datetime import timedelta

from application.payloads import WorkItemRetentionPayload
from application.ports.work_context import Result, WorkContext
from application.ports.work_item_purger import WorkItemPurger


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItemRetentionHandler:
    items: WorkItemPurger
    retention: timedelta
    batch_size: int

    def __call__(self, payload: WorkItemRetentionPayload, context: WorkContext) -> Result:  # noqa: ARG002
        deleted = {"items": 0, "rows": 0}
        position = None
        while True:
            context.cancellation.raise_if_requested({**deleted})
            batch = self.items.purge(
                context.tag,
                older_than=self.retention,
                after=position,
                most=self.batch_size,
            )
            deleted["items"] += batch.items
            deleted["rows"] += batch.rows
            context.progress.report(done=deleted["items"])
            position = batch.position
            if position is None:
                return {**deleted}
