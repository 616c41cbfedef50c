"""Failed files of finished crawls, read for the folder's owner."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, Select, and_, or_, select, tuple_
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.tables import CRAWL_FAILURES, WORK_ITEMS
from application.payloads import crawl_key
from application.ports.crawl_failures import CrawlFailure, CrawlFailures, FinishedCrawl
from domain.work.attempt import AttemptTag
from domain.work.kind import WorkKind
from domain.work.status import WorkStatus

_ITEM = WORK_ITEMS.c
_FAILURE = CRAWL_FAILURES.c


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresCrawlFailures(CrawlFailures):
    """The crawl by the index on keys and ends, the failures by the one on attempts."""

    engine: Engine

    @override
    def crawl(self, storage_config_id: UUID, item_id: UUID | None) -> FinishedCrawl | None:
        query = (
            select(_ITEM.id, _ITEM.attempt, _ITEM.finished_at, _ITEM.status)
            .where(
                _ITEM.kind == WorkKind.CRAWL,
                or_(
                    _ITEM.status == WorkStatus.SUCCEEDED,
                    and_(_ITEM.status == WorkStatus.CANCELLED, _ITEM.result.is_not(None)),
                ),
                _ITEM.storage_config_id == storage_config_id,
                # Every crawl has the key: without it, the index on keys and ends is of no use.
                _ITEM.dedup_key == crawl_key(storage_config_id),
            )
            .order_by(_ITEM.finished_at.desc())
            .limit(1)
        )
        if item_id is not None:
            query = query.where(_ITEM.id == item_id)
        with single_statement(self.engine) as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        tag = AttemptTag(item_id=row.id, attempt=row.attempt)
        return FinishedCrawl(
            tag=tag,
            finished_at=row.finished_at,
            is_partial=row.status == WorkStatus.CANCELLED,
        )

    @override
    def of(self, tag: AttemptTag, *, after: int, limit: int) -> Sequence[CrawlFailure]:
        query = failures_query(tag, after, limit)
        with single_statement(self.engine) as connection:
            return [
                CrawlFailure(
                    number=row.id,
                    path=row.path,
                    display_path=row.display_path,
                    reason=row.reason,
                    message=row.message,
                )
                for row in connection.execute(query)
            ]


def failures_query(tag: AttemptTag, after: int, limit: int) -> Select[Any]:
    """Rows of one attempt, compared as wholes.

    Where they were compared for equality, the planner could walk the primary key past everybody
    else's rows instead of taking the index on attempts.
    """
    attempt = tuple_(_FAILURE.work_item_id, _FAILURE.attempt)
    place = tuple_(_FAILURE.work_item_id, _FAILURE.attempt, _FAILURE.id)
    return (
        select(
            _FAILURE.id,
            _FAILURE.path,
            _FAILURE.display_path,
            _FAILURE.reason,
            _FAILURE.message,
        )
        .where(
            place > tuple_(tag.item_id, tag.attempt, after),
            attempt <= tuple_(tag.item_id, tag.attempt),
        )
        .order_by(_FAILURE.work_item_id, _FAILURE.attempt, _FAILURE.id)
        .limit(limit)
    )
