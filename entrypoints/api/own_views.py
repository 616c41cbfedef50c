"""What a user sees of its own library."""

import base64
from datetime import datetime
from typing import Self
from uuid import UUID

from pydantic import Field, RootModel

from application.ports.crawl_failures import CrawlFailure
from application.use_cases.read_crawl_failures import FailurePage, FailurePosition
from entrypoints.api.cursors import FailureCursor
from entrypoints.api.dto import Response


class Jpeg(RootModel[bytes]):
    """A picture: upright, sRGB, without metadata."""


class CrawlFailureView(Response):
    """One file that could not be taken."""

    path: str = Field(description="relative to the folder; what is not UTF-8 is replaced")
    path_base64: str = Field(description="the path's exact bytes")
    reason: str
    message: str

    @classmethod
    def of(cls, failure: CrawlFailure) -> Self:
        return cls(
            path=failure.display_path,
            path_base64=base64.b64encode(failure.path).decode(),
            reason=failure.reason,
            message=failure.message,
        )


class CrawlFailurePageView(Response):
    """One page of the failures of one crawl; nulls where none has a result."""

    items: list[CrawlFailureView]
    next_cursor: str | None = Field(description="null: this is the last page")
    work_item_id: UUID | None
    attempt: int | None
    finished_at: datetime | None
    is_partial: bool | None = Field(description="it was cancelled before it reached every file")

    @classmethod
    def of(cls, page: FailurePage) -> Self:
        crawl, following = page.crawl, page.following
        return cls(
            items=[CrawlFailureView.of(each) for each in page.failures],
            next_cursor=following and _cursor_of(following).text(),
            work_item_id=crawl and crawl.tag.item_id,
            attempt=crawl and crawl.tag.attempt,
            finished_at=crawl and crawl.finished_at,
            is_partial=crawl and crawl.is_partial,
        )


def position_of(cursor: FailureCursor | None) -> FailurePosition | None:
    """The place that a cursor stands for."""
    if cursor is None:
        return None
    return FailurePosition(item_id=cursor.item, number=cursor.number)


def _cursor_of(position: FailurePosition) -> FailureCursor:
    return FailureCursor(item=position.item_id, number=position.number)
