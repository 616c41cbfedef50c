"""A user's own folders, and what a crawl could not take of them."""

import falcon.asgi

from application.use_cases.manage_storage_configs import ListOwnStorageConfigs
from application.use_cases.read_crawl_failures import ReadCrawlFailures
from entrypoints.api.access import caller_of
from entrypoints.api.answers import show
from entrypoints.api.cursors import FailureCursor, read_cursor
from entrypoints.api.dto import CursorQuery, PageQuery, StorageConfigPageView
from entrypoints.api.offload import Offload
from entrypoints.api.own_views import CrawlFailurePageView, position_of
from entrypoints.api.reading import read_id, read_query


class OwnStorageConfigsResource:
    """The list."""

    def __init__(
        self, *, list_own_storage_configs: ListOwnStorageConfigs, offload: Offload
    ) -> None:
        self._list = list_own_storage_configs
        self._offload = offload

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        query = read_query(req, PageQuery)
        page = await self._offload(self._list, caller_of(req).user.id, query.request())
        show(resp, StorageConfigPageView.of(page, query))


class CrawlFailuresResource:
    """The failures of one folder's latest complete crawl."""

    def __init__(self, *, read_crawl_failures: ReadCrawlFailures, offload: Offload) -> None:
        self._read = read_crawl_failures
        self._offload = offload

    async def on_get(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, config_id: str
    ) -> None:
        wanted = read_id(config_id)
        query = read_query(req, CursorQuery)
        after = position_of(read_cursor(query.cursor, FailureCursor))
        page = await self._offload(
            self._read, caller_of(req).user, wanted, after=after, limit=query.limit
        )
        show(resp, CrawlFailurePageView.of(page))
