"""The live stream of work items, as Server-Sent Events."""

import falcon
import falcon.asgi

from entrypoints.api.access import caller_of
from entrypoints.api.connection import abort_of
from entrypoints.api.dto import NoQuery
from entrypoints.api.live.hub import Hub
from entrypoints.api.live.stream import Watcher
from entrypoints.api.reading import read_query


class WorkItemEventsResource:
    """Opens a stream; what goes through it is the hub's."""

    def __init__(self, *, hub: Hub) -> None:
        self._hub = hub

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """What a stream would be; none is opened."""
        read_query(req, NoQuery)
        _describe(resp)

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        read_query(req, NoQuery)
        caller = caller_of(req)
        watcher = Watcher(
            user_id=caller.user.id,
            token_expires_at=caller.token_expires_at,
            abort=abort_of(req.scope),
        )
        resp.stream = await self._hub.open(watcher, req.get_header("Last-Event-ID"))
        _describe(resp)


def _describe(resp: falcon.asgi.Response) -> None:
    resp.content_type = "text/event-stream"
    resp.set_header("X-Accel-Buffering", "no")
