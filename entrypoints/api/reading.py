"""Reads bodies, queries and path parameters into checked values."""

import re
from collections import Counter
from typing import TypeVar
from urllib.parse import parse_qsl
from uuid import UUID

import falcon
import falcon.asgi
from pydantic import BaseModel, ValidationError

from domain.errors import InvalidInput
from entrypoints.api.problems import FieldProblem, InvalidFields

BODY_LIMIT_BYTES = 64 * 1024
PYDANTIC_PREFIX = re.compile(r"^(Input|String|Value) should ")
M = TypeVar("M", bound=BaseModel)


async def read_body(req: falcon.asgi.Request, model: type[M]) -> M:
    """The JSON body as the model; unknown fields are refused."""
    if falcon.parse_header(req.content_type or "")[0].lower() != falcon.MEDIA_JSON:
        raise falcon.HTTPUnsupportedMediaType(description="the body must be application/json")
    raw = await _limited(req)
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise _explained(error, "body", depth=1) from error


def read_query(req: falcon.asgi.Request, model: type[M]) -> M:
    """The query as the model; unknown parameters and repeated single ones are refused."""
    pairs = parse_qsl(req.query_string, keep_blank_values=True, errors="replace")
    lists = {
        field.alias or name
        for name, field in model.model_fields.items()
        if getattr(field.annotation, "__origin__", None) is tuple
    }
    given: dict[str, object] = {
        name: [value for key, value in pairs if key == name] if name in lists else last
        for name, last in pairs
    }
    for name, count in Counter(key for key, _ in pairs).items():
        if count > 1 and name not in lists:
            raise InvalidInput(name, "must be given once")
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise _explained(error, "query", depth=1) from error


def read_id(text: str) -> UUID:
    """The id in a path, in the usual form with hyphens."""
    try:
        found = UUID(text)
    except ValueError as error:
        raise InvalidInput("id", "must be a UUID") from error
    if str(found) != text.lower():
        raise InvalidInput("id", "must be a UUID")
    return found


async def _limited(req: falcon.asgi.Request) -> bytes:
    if (req.content_length or 0) > BODY_LIMIT_BYTES:
        raise _too_large()
    raw = await req.stream.read(BODY_LIMIT_BYTES + 1)
    if len(raw) > BODY_LIMIT_BYTES:
        raise _too_large()
    return raw


def _too_large() -> falcon.HTTPContentTooLarge:
    return falcon.HTTPContentTooLarge(
        description=f"the body must have at most {BODY_LIMIT_BYTES} bytes"
    )


def _explained(error: ValidationError, whole: str, depth: int | None = None) -> InvalidFields:
    """Each field by its path; of parameters only the name, since they have no parts."""
    return InvalidFields(
        [
            FieldProblem(
                field=".".join(str(part) for part in found["loc"][:depth]) or whole,
                message=_plain(found["type"], found["msg"]),
            )
            for found in error.errors(include_url=False, include_context=False, include_input=False)
        ]
    )


def _plain(kind: str, message: str) -> str:
    match kind:
        case "extra_forbidden":
            return "is not known"
        case "missing":
            return "is missing"
        case _:
            return PYDANTIC_PREFIX.sub("must ", message.removeprefix("Value error, "))
