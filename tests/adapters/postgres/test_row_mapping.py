"""Rows as items: every column in its place."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData

from adapters.postgres.row_mapping import to_listed_item, to_work_item
from domain.work.item import WorkItem
from domain.work.progress import Progress
from domain.work.status import WorkStatus


def at(minute: int) -> datetime:
    return datetime(2026, 1, 2, 3, minute, tzinfo=UTC)


COLUMNS: Mapping[str, object] = {
    "id": UUID(int=1),
    "kind": "Crawl",
    "payload": {"kind": "Crawl"},
    "storage_config_id": UUID(int=2),
    "dedup_key": "a key",
    "requested_by": UUID(int=3),
    "requested_at": at(1),
    "status": "Running",
    "attempt": 4,
    "stalls": 5,
    "claimed_by": "all@nas",
    "started_at": at(2),
    "lease_until": at(3),
    "finished_at": at(4),
    "updated_at": at(5),
    "cancel_requested_at": at(6),
    "progress_done": 7,
    "progress_total": 8,
    "progress_note": "a note",
    "result": {"files": 9},
    "error": "an error",
}
ITEM = WorkItem(
    id=UUID(int=1),
    kind="Crawl",
    payload={"kind": "Crawl"},
    storage_config_id=UUID(int=2),
    dedup_key="a key",
    requested_by=UUID(int=3),
    requested_at=at(1),
    status=WorkStatus.RUNNING,
    attempt=4,
    stalls=5,
    claimed_by="all@nas",
    started_at=at(2),
    lease_until=at(3),
    finished_at=at(4),
    updated_at=at(5),
    cancel_requested_at=at(6),
    progress=Progress(done=7, total=8, note="a note"),
    result={"files": 9},
    error="an error",
)


def row(columns: Mapping[str, object]) -> RowMapping:
    result: IteratorResult[Any] = IteratorResult(
        SimpleResultMetaData(list(columns)), iter([tuple(columns.values())])
    )
    return result.mappings().one()


def test_every_column_becomes_its_field() -> None:
    item = to_work_item(row(COLUMNS))
    assert item == ITEM
    assert item.status is WorkStatus.RUNNING


def test_columns_that_a_query_leaves_out_are_empty() -> None:
    listed = {
        name: value for name, value in COLUMNS.items() if name not in {"payload", "dedup_key"}
    }
    found = to_listed_item(row({**listed, "result_omitted": True}))
    assert found.result_omitted is True
    assert found.item.payload == {}
    assert found.item.dedup_key is None
    assert found.item.error == "an error"
    assert to_listed_item(row({**COLUMNS, "result_omitted": False})).result_omitted is False
