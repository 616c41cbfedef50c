"""The description of the API, as it is served."""

import json

import falcon
import falcon.asgi

from entrypoints.api.openapi import document


class OpenApiResource:
    """Built once; it does not change while the host runs."""

    def __init__(self) -> None:
        self._document = json.dumps(document()).encode()

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:  # noqa: ARG002
        resp.data = self._document
        resp.content_type = falcon.MEDIA_JSON
