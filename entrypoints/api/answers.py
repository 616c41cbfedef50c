"""Puts checked values into responses."""

from http import HTTPStatus

import falcon
import falcon.asgi
from pydantic import BaseModel


def show(resp: falcon.asgi.Response, answer: BaseModel, status: HTTPStatus = HTTPStatus.OK) -> None:
    """The model as JSON; instants are ISO 8601 in UTC with Z."""
    resp.status = status.value
    resp.data = answer.model_dump_json(by_alias=True).encode()
    resp.content_type = falcon.MEDIA_JSON


class NeverStored:
    """Middleware: answers may hold tokens and other people's affairs; no cache keeps them.

    But those that say themselves how long the caller's own cache may.
    """

    async def process_response(
        self,
        req: falcon.asgi.Request,  # noqa: ARG002  # falcon's signature
        resp: falcon.asgi.Response,
        resource: object,  # noqa: ARG002
        req_succeeded: bool,  # noqa: ARG002
    ) -> None:
        if resp.get_header("Cache-Control") is None:
            resp.set_header("Cache-Control", "no-store")
        resp.set_header("X-Content-Type-Options", "nosniff")
