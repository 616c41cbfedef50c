"""Rows to domain values. Never leaves this package."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import RowMapping

from application.ports.work_item_reader import ListedItem
from domain.work.item import WorkItem
from domain.work.progress import Progress
from domain.work.status import WorkStatus


def to_work_item(row: RowMapping | Mapping[str, Any]) -> WorkItem:
    """A whole row of work_items; a column that a query leaves out is empty in the item."""
    return WorkItem(
        id=row["id"],
        kind=row["kind"],
        payload=row.get("payload") or {},
        storage_config_id=row["storage_config_id"],
        dedup_key=row.get("dedup_key"),
        requested_by=row["requested_by"],
        requested_at=row["requested_at"],
        status=WorkStatus(row["status"]),
        attempt=row["attempt"],
        stalls=row["stalls"],
        claimed_by=row["claimed_by"],
        started_at=row["started_at"],
        lease_until=row["lease_until"],
        finished_at=row["finished_at"],
        updated_at=row["updated_at"],
        cancel_requested_at=row["cancel_requested_at"],
        progress=Progress(
            done=row["progress_done"], total=row["progress_total"], note=row["progress_note"]
        ),
        result=row["result"],
        error=row["error"],
    )


def to_listed_item(row: RowMapping) -> ListedItem:
    """A row of the listed columns."""
    return ListedItem(item=to_work_item(row), result_omitted=row["result_omitted"])
