"""Failures of finished crawls in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from typing_extensions import override

from application.ports.crawl_failures import CrawlFailure, CrawlFailures, FinishedCrawl
from domain.work.attempt import AttemptTag


@dataclass
class InMemoryCrawlFailures(CrawlFailures):
    crawls: list[tuple[UUID, FinishedCrawl]] = field(default_factory=list)
    """Each with its config, in the order in which they ended."""
    failures: dict[AttemptTag, list[CrawlFailure]] = field(default_factory=dict)
    limits: list[int] = field(default_factory=list)

    @override
    def crawl(self, storage_config_id: UUID, item_id: UUID | None) -> FinishedCrawl | None:
        for config, crawl in reversed(self.crawls):
            if config == storage_config_id and item_id in {None, crawl.tag.item_id}:
                return crawl
        return None

    @override
    def of(self, tag: AttemptTag, *, after: int, limit: int) -> Sequence[CrawlFailure]:
        self.limits.append(limit)
        return [each for each in self.failures.get(tag, []) if each.number > after][:limit]
