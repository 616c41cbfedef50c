"""Runs the crawl of one storage config for the queue."""

from dataclasses import dataclass

from application.crawling.crawl_library import CrawlLibrary
from application.payloads import CrawlPayload
from application.ports.work_context import Result, WorkContext


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlHandler:
    """Brings the library up to date with its folder."""

    crawl: CrawlLibrary

    def __call__(self, payload: CrawlPayload, context: WorkContext) -> Result:
        return self.crawl(payload.storage_config_id, context)
