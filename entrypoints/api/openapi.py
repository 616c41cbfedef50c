"""Builds the OpenAPI 3.1 document from the table of operations and the models."""

import re
from collections.abc import Iterator
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from entrypoints.api.operation import Access, Operation
from entrypoints.api.operations import OPERATIONS
from entrypoints.api.problems import PROBLEM_JSON, Problem

REF = "#/components/schemas/{model}"
Json = dict[str, Any]
# What is refused before it is known which operation is meant.
SERVERS_OWN = {
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.REQUEST_URI_TOO_LONG,
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
}


def document(operations: tuple[Operation, ...] = OPERATIONS) -> Json:
    """The whole document, ready for JSON."""
    paths: Json = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {"title": "Anichron", "version": version("anichron")},
        "paths": paths,
        "components": {
            "schemas": _schemas(operations),
            "securitySchemes": {
                "accessToken": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
            },
        },
    }


def _operation(operation: Operation) -> Json:
    described: Json = {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.tag],
        "security": [] if operation.access is Access.PUBLIC else [{"accessToken": []}],
        "parameters": [
            *_path_parameters(operation),
            *_query_parameters(operation),
            *_headers(operation),
        ],
        "responses": _responses(operation),
    }
    if operation.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _ref(operation.body)}},
        }
    return described


def _path_parameters(operation: Operation) -> Iterator[Json]:
    for name in re.findall(r"\{(\w+)\}", operation.path):
        schema = {"type": "string", "format": "uuid"}
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameters(operation: Operation) -> Iterator[Json]:
    if operation.query is None:
        return
    schema = operation.query.model_json_schema(by_alias=True, ref_template=REF)
    for name, described in schema["properties"].items():
        yield {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", []),
            "schema": described,
        }


def _headers(operation: Operation) -> Iterator[Json]:
    for name, description in operation.headers:
        yield {
            "name": name,
            "in": "header",
            "required": False,
            "description": description,
            "schema": {"type": "string"},
        }


def _responses(operation: Operation) -> Json:
    answers = {
        str(status): _answer(status, model, operation.media_type)
        for status, model in operation.answers.items()
    }
    problems = {
        str(status): _answer(status, Problem, PROBLEM_JSON) for status in problems_of(operation)
    }
    special = {
        str(status): _answer(status, model, PROBLEM_JSON)
        for status, model in operation.special_problems.items()
    }
    return {**answers, **problems, **special}


def problems_of(operation: Operation) -> list[int]:
    """Its own problems, and those that follow from what the operation reads and touches."""
    found = {HTTPStatus.INTERNAL_SERVER_ERROR, *SERVERS_OWN, *operation.problems}
    if operation.access is not Access.PUBLIC:
        found |= {HTTPStatus.UNAUTHORIZED, HTTPStatus.BAD_REQUEST}
    if operation.access is Access.ADMIN:
        found.add(HTTPStatus.FORBIDDEN)
    if operation.body is not None:
        found |= {
            HTTPStatus.BAD_REQUEST,
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        }
    if operation.touches_database:
        found.add(HTTPStatus.SERVICE_UNAVAILABLE)
    return sorted(int(status) for status in found)


def _answer(status: int, model: type[BaseModel] | None, media_type: str) -> Json:
    described: Json = {"description": HTTPStatus(status).phrase}
    if model is not None:
        described["content"] = {media_type: {"schema": _ref(model)}}
    return described


def _schemas(operations: tuple[Operation, ...]) -> Json:
    wanted: dict[tuple[type[BaseModel], JsonSchemaMode], None] = {(Problem, "serialization"): None}
    for operation in operations:
        if operation.body is not None:
            wanted[operation.body, "validation"] = None
        if operation.query is not None:
            wanted[operation.query, "validation"] = None
        for model in (*operation.answers.values(), *operation.special_problems.values()):
            if model is not None:
                wanted[model, "serialization"] = None
    _, schemas = models_json_schema(list(wanted), by_alias=True, ref_template=REF)
    definitions: Json = schemas.get("$defs", {})
    return definitions


def _ref(model: type[BaseModel]) -> Json:
    return {"$ref": REF.format(model=model.__name__)}
