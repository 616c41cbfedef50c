"""Failed files of finished crawls, read for the folder's owner."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Engine, select
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
            select(_ITEM.id, _ITEM.attempt, _ITEM.finished_at)
            .where(
                _ITEM.kind == WorkKind.CRAWL,
                _ITEM.status == WorkStatus.SUCCEEDED,
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
        return FinishedCrawl(tag=tag, finished_at=row.finished_at)

    @override
    def of(self, tag: AttemptTag, *, after: int, limit: int) -> Sequence[CrawlFailure]:
        query = (
            select(
                _FAILURE.id,
                _FAILURE.path,
                _FAILURE.display_path,
                _FAILURE.reason,
                _FAILURE.message,
            )
            .where(
                _FAILURE.work_item_id == tag.item_id,
                _FAILURE.attempt == tag.attempt,
                _FAILURE.id > after,
            )
            .order_by(_FAILURE.id)
            .limit(limit)
        )
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
