"""Work items as an admin sees them, in the list, in detail and in the live stream."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Self
from uuid import UUID

from pydantic import BeforeValidator, Field, RootModel, WithJsonSchema

from application.ports.work_item_reader import (
    ListedItem,
    ListFilter,
    WorkItemDetail,
    WorkItemPage,
)
from domain.work.cursor import format_instant
from domain.work.item import WorkItem
from domain.work.kind import WorkKind
from domain.work.status import WorkStatus
from entrypoints.api.dto import PageQuery, Query, Response
from entrypoints.api.problems import Problem

NO_SCOPE: Final = "none"
MOST_SCOPES: Final = 20
"""Each is one more read of the list's index."""
HAS_RESULT = frozenset({WorkStatus.SUCCEEDED, WorkStatus.CANCELLED})
HAS_ERROR = frozenset({WorkStatus.FAILED, WorkStatus.CANCELLED})


def _is_none(value: object) -> bool:
    return value is None


def _read_scope(text: object) -> UUID | None:
    if text == NO_SCOPE:
        return None
    try:
        return UUID(str(text))
    except ValueError as error:
        raise ValueError("must be a UUID, or none for the unscoped items") from error


Scope = Annotated[
    UUID | None,
    BeforeValidator(_read_scope),
    WithJsonSchema({"anyOf": [{"type": "string", "format": "uuid"}, {"const": NO_SCOPE}]}),
]


class WorkItemFilterQuery(Query):
    """Which items; `status`, `kind` and `scope` may be given several times."""

    status: tuple[WorkStatus, ...] = ()
    kind: tuple[WorkKind, ...] = ()
    scope: tuple[Scope, ...] = Field((), max_length=MOST_SCOPES)

    def filter(self) -> ListFilter:
        return ListFilter(
            statuses=frozenset(self.status),
            kinds=frozenset(kind.value for kind in self.kind),
            scopes=frozenset(self.scope),
        )


class WorkItemsQuery(WorkItemFilterQuery, PageQuery):
    """Which items to list, and which page of them."""


class ProgressView(Response):
    """How far the newest attempt is; `total` is null while it is unknown."""

    done: int | None
    total: int | None
    note: str | None


class WorkItemView(Response):
    """A work item. What a status can't have is left out."""

    id: UUID
    kind: str
    status: WorkStatus
    storage_config_id: UUID | None
    requested_by: UUID | None = Field(description="null: scheduled")
    requested_at: datetime
    attempt: int
    stalls: int
    claimed_by: str | None
    started_at: datetime | None
    lease_until: datetime | None
    finished_at: datetime | None
    updated_at: datetime
    cancel_requested_at: datetime | None
    progress: ProgressView
    result: dict[str, Any] | None = Field(None, exclude_if=_is_none)
    result_is_partial: bool | None = Field(None, exclude_if=_is_none)
    result_omitted: bool | None = Field(
        None, exclude_if=_is_none, description="true: over 4 KiB; the detail has it"
    )
    error: str | None = Field(None, exclude_if=_is_none)

    @classmethod
    def of(cls, listed: ListedItem) -> Self:
        return cls(**fields_of(listed.item, omitted=listed.result_omitted))


class WorkItemDetailView(WorkItemView):
    """A work item with its whole result and error, and the database's time."""

    server_time: datetime

    @classmethod
    def of_detail(cls, item: WorkItem, server_time: datetime) -> Self:
        return cls(**fields_of(item, omitted=False), server_time=server_time)

    @classmethod
    def of_read(cls, detail: WorkItemDetail) -> Self:
        return cls.of_detail(detail.item, detail.server_time)


class WorkItemPageView(Response):
    """One page of the items, newest request first."""

    items: list[WorkItemView]
    page: int
    page_size: int
    total: int = Field(description="how many match, counted up to 10,000")
    total_is_capped: bool
    cursor: str = Field(description="from here the live stream misses nothing")
    server_time: datetime

    @classmethod
    def of(cls, page: WorkItemPage, query: WorkItemsQuery) -> Self:
        return cls(
            items=[WorkItemView.of(listed) for listed in page.items],
            page=query.page,
            page_size=query.page_size,
            total=page.total,
            total_is_capped=page.total_is_capped,
            cursor=format_instant(page.cursor),
            server_time=page.server_time,
        )


class WorkItemRemovedView(Response):
    """An unfinished item that is gone with its storage config."""

    id: UUID


class LeasesView(Response):
    """Until when each running item's Worker is believed to be alive."""

    server_time: datetime
    leases: Mapping[UUID, datetime]


class ResetView(Response):
    """Too much was missed: list again; what follows is live."""


class EventStreamText(RootModel[str]):
    """Server-Sent Events: `work-item`, `work-item-removed`, `leases`, `reset`."""


class FinishedProblem(Problem):
    """The item had finished; as it is, it stands in `item`."""

    item: WorkItemDetailView


def fields_of(item: WorkItem, *, omitted: bool) -> dict[str, Any]:
    """What both views show of the item."""
    return {
        "id": item.id,
        "kind": item.kind,
        "status": item.status,
        "storage_config_id": item.storage_config_id,
        "requested_by": item.requested_by,
        "requested_at": item.requested_at,
        "attempt": item.attempt,
        "stalls": item.stalls,
        "claimed_by": item.claimed_by,
        "started_at": item.started_at,
        "lease_until": item.lease_until,
        "finished_at": item.finished_at,
        "updated_at": item.updated_at,
        "cancel_requested_at": item.cancel_requested_at,
        "progress": ProgressView(
            done=item.progress.done, total=item.progress.total, note=item.progress.note
        ),
        **_outcome_of(item, omitted=omitted),
    }


def _outcome_of(item: WorkItem, *, omitted: bool) -> dict[str, Any]:
    return {
        "result": item.result if item.status in HAS_RESULT else None,
        "result_is_partial": True if item.status is WorkStatus.CANCELLED else None,
        "result_omitted": True if omitted else None,
        "error": item.error if item.status in HAS_ERROR else None,
    }
