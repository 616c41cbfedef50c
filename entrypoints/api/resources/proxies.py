"""The proxies of a user's own assets."""

from http import HTTPStatus
from typing import Final

import falcon
import falcon.asgi

from application.use_cases.read_proxy import ReadableProxy, ReadProxy
from domain.library.proxy import ProxyKind
from entrypoints.api.access import caller_of
from entrypoints.api.dto import NoQuery
from entrypoints.api.offload import Offload
from entrypoints.api.reading import read_id, read_query

CACHE_CONTROL: Final = "private, max-age=300, must-revalidate"
"""Long enough to leaf through a day, short enough for a picture that was deleted or changed."""


class ProxyResource:
    """One kind of proxy."""

    def __init__(self, *, read_proxy: ReadProxy, kind: ProxyKind, offload: Offload) -> None:
        self._read = read_proxy
        self._kind = kind
        self._offload = offload

    async def on_get(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, asset_id: str
    ) -> None:
        wanted = read_id(asset_id)
        read_query(req, NoQuery)
        proxy = await self._offload(self._read, caller_of(req).user.id, wanted, self._kind)
        _show(req, resp, proxy)


def _show(req: falcon.asgi.Request, resp: falcon.asgi.Response, proxy: ReadableProxy) -> None:
    resp.etag = proxy.version
    resp.set_header("Cache-Control", CACHE_CONTROL)
    # A browser's cache outlives a log-in: it must not serve the next person from it.
    resp.set_header("Vary", "Authorization")
    if _has_it(req, proxy.version):
        resp.status = HTTPStatus.NOT_MODIFIED.value
        return
    resp.data = proxy.jpeg
    resp.content_type = falcon.MEDIA_JPEG


def _has_it(req: falcon.asgi.Request, version: str) -> bool:
    """RFC 9110: any of the tags, compared weakly; a star is any."""
    return any(tag in {"*", version} for tag in req.if_none_match or ())
