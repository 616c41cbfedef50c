"""Reads bodies, queries and path parameters into checked values."""

import json
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
MOST_PARAMETERS = 100
MOST_FAULTS = 20
"""More fields than that are wrong in no mistake; all of them would make the answer long."""
NAME_CHARACTERS = 100
PYDANTIC_PREFIX = re.compile(r"^(Input|String|Value) should ")
M = TypeVar("M", bound=BaseModel)


async def read_body(req: falcon.asgi.Request, model: type[M]) -> M:
    """The JSON body as the model; unknown fields and repeated ones are refused."""
    if falcon.parse_header(req.content_type or "")[0].lower() != falcon.MEDIA_JSON:
        raise falcon.HTTPUnsupportedMediaType(description="the body must be application/json")
    raw = await _limited(req)
    try:
        found = model.model_validate_json(raw)
    except ValidationError as error:
        raise _explained(error, "body", depth=1) from error
    json.loads(raw.decode(), object_pairs_hook=_refuse_repeated)  # the model kept the last of them
    return found


def read_query(req: falcon.asgi.Request, model: type[M]) -> M:
    """The query as the model; unknown parameters and repeated single ones are refused."""
    pairs = _pairs(req.query_string)
    lists = {
        field.alias or name
        for name, field in model.model_fields.items()
        if getattr(field.annotation, "__origin__", None) is tuple
    }
    given: dict[str, object] = {
        name: [value for key, value in pairs if key == name] if name in lists else last
        for name, last in pairs
    }
    _refuse_repeated([pair for pair in pairs if pair[0] not in lists])
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise _explained(error, "query", depth=1) from error


def _pairs(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            query, keep_blank_values=True, errors="replace", max_num_fields=MOST_PARAMETERS
        )
    except ValueError as error:
        limit = f"must have at most {MOST_PARAMETERS} parameters"
        raise InvalidInput("query", limit) from error


def _refuse_repeated(pairs: list[tuple[str, object]]) -> None:
    for name, count in Counter(name for name, _ in pairs).items():
        if count > 1:
            raise InvalidInput(name[:NAME_CHARACTERS], "must be given once")


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
                field=".".join(str(part) for part in found["loc"][:depth])[:NAME_CHARACTERS]
                or whole,
                message=_plain(found["type"], found["msg"]),
            )
            for found in error.errors(
                include_url=False, include_context=False, include_input=False
            )[:MOST_FAULTS]
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
