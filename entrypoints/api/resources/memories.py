"""What a user captured on a day, in all years."""

import falcon.asgi

from application.use_cases.recall_day import RecallDay
from entrypoints.api.access import caller_of
from entrypoints.api.answers import show
from entrypoints.api.cursors import read_cursor
from entrypoints.api.memory_views import MemoriesQuery, MemoryCursor, MemoryPageView, position_of
from entrypoints.api.offload import Offload
from entrypoints.api.reading import read_query


class MemoriesResource:
    """The list."""

    def __init__(self, *, recall_day: RecallDay, offload: Offload) -> None:
        self._recall = recall_day
        self._offload = offload

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        query = read_query(req, MemoriesQuery)
        after = position_of(read_cursor(query.cursor, MemoryCursor))
        page = await self._offload(
            self._recall,
            caller_of(req).user.id,
            month=query.month,
            day=query.day,
            after=after,
            limit=query.limit,
        )
        show(resp, MemoryPageView.of(page))
