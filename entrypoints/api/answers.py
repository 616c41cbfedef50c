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
