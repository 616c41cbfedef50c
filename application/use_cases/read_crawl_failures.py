"""Tell the owner of a folder which files the latest crawl could not take, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from application.ports.crawl_failures import CrawlFailure, CrawlFailures, FinishedCrawl
from application.ports.storage_configs import StorageConfigs
from domain.errors import InvalidInput, NotFound
from domain.identity.user import User
from domain.library.ownership import require_ownership


@dataclass(frozen=True, slots=True, kw_only=True)
class FailurePosition:
    """Where a page ended: so the next one goes on in the same crawl, whatever came later."""

    item_id: UUID
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FailurePage:
    """One page, and where the next one begins; None: this is the last."""

    crawl: FinishedCrawl | None
    """None: no crawl of the folder has reached its end so far."""
    failures: Sequence[CrawlFailure] = ()
    following: FailurePosition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCrawlFailures:
    storage_configs: StorageConfigs
    crawl_failures: CrawlFailures

    def __call__(
        self, reader: User, config_id: UUID, *, after: FailurePosition | None, limit: int
    ) -> FailurePage:
        """The page behind `after`, in the order in which the files were noted.

        NotFound; NotPermitted for an admin who is not the owner; InvalidInput for a cursor whose
        crawl is gone.
        """
        config = self.storage_configs.find(config_id)
        if config is None:
            raise NotFound(f"there is no storage config {config_id}")
        require_ownership(config, reader)
        crawl = self.crawl_failures.crawl(config_id, after.item_id if after else None)
        if crawl is not None:
            return self._page(crawl, after.number if after else 0, limit)
        if after is not None:
            raise InvalidInput("cursor", "the crawl that it belongs to is gone; begin again")
        return FailurePage(crawl=None)

    def _page(self, crawl: FinishedCrawl, after: int, limit: int) -> FailurePage:
        found = self.crawl_failures.of(crawl.tag, after=after, limit=limit + 1)
        page = found[:limit]
        if len(found) == len(page):
            return FailurePage(crawl=crawl, failures=page)
        following = FailurePosition(item_id=crawl.tag.item_id, number=page[-1].number)
        return FailurePage(crawl=crawl, failures=page, following=following)
