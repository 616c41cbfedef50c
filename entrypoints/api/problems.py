"""Errors as `application/problem+json` (RFC 9457); the one place that knows their status."""

import logging
from http import HTTPStatus
from typing import Any

import falcon
import falcon.asgi
from falcon import HTTPError
from pydantic import BaseModel, ConfigDict, Field

from application.ports.proxy_reader import ProxyUnreadable
from application.ports.readiness import SchemaNotCurrent
from domain.errors import Conflict, DatabaseUnavailable, DomainError, InvalidInput, NotFound
from domain.identity.access import NotAuthenticated, NotPermitted
from domain.identity.log_in_throttle import TooManyAttempts
from entrypoints.api.overload import Overloaded, TooManyWaiting

PROBLEM_JSON = "application/problem+json"
RETRY_AFTER_SECONDS = 2
STATUS_OF: dict[type[DomainError], HTTPStatus] = {
    InvalidInput: HTTPStatus.BAD_REQUEST,
    NotAuthenticated: HTTPStatus.UNAUTHORIZED,
    NotPermitted: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
    TooManyAttempts: HTTPStatus.TOO_MANY_REQUESTS,
    DatabaseUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    ProxyUnreadable: HTTPStatus.SERVICE_UNAVAILABLE,
    SchemaNotCurrent: HTTPStatus.SERVICE_UNAVAILABLE,
    Overloaded: HTTPStatus.SERVICE_UNAVAILABLE,
}
HEADERS_OF = {
    HTTPStatus.UNAUTHORIZED: ("WWW-Authenticate", "Bearer"),
    HTTPStatus.SERVICE_UNAVAILABLE: ("Retry-After", str(RETRY_AFTER_SECONDS)),
}

log = logging.getLogger(__name__)


class FieldProblem(BaseModel):
    """One field or parameter that breaks a rule."""

    model_config = ConfigDict(extra="forbid")

    field: str
    message: str


class Problem(BaseModel):
    """What went wrong, in the form of RFC 9457."""

    model_config = ConfigDict(extra="forbid")

    type: str = "about:blank"
    title: str
    status: int = Field(ge=400, le=599)
    detail: str
    errors: list[FieldProblem] = Field(
        default_factory=list, description="for a 400: the fields that are wrong"
    )


class InvalidFields(InvalidInput):
    """Several fields break a rule; the first is named in the message, all in the problem."""

    def __init__(self, fields: list[FieldProblem]) -> None:
        super().__init__(fields[0].field, fields[0].message)
        self.fields = fields


def show_problem(resp: falcon.asgi.Response, problem: Problem) -> None:
    """The problem as the response's body and status."""
    resp.status = problem.status
    resp.data = problem.model_dump_json(by_alias=True).encode()
    resp.content_type = PROBLEM_JSON


def tell(resp: falcon.asgi.Response, status: int, detail: str, *fields: FieldProblem) -> None:
    """Make the response this problem."""
    known = HTTPStatus(status)
    show_problem(
        resp, Problem(title=known.phrase, status=status, detail=detail, errors=list(fields))
    )
    if known in HEADERS_OF:
        resp.set_header(*HEADERS_OF[known])


async def tell_domain_error(
    req: falcon.asgi.Request,
    resp: falcon.asgi.Response,
    error: DomainError,
    params: dict[str, Any],
) -> None:
    status = next((STATUS_OF[base] for base in type(error).__mro__ if base in STATUS_OF), None)
    if status is None:
        await tell_unexpected(req, resp, error, params)
        return
    if status is HTTPStatus.SERVICE_UNAVAILABLE and not isinstance(error, TooManyWaiting):
        log.warning("%s %s: %s", req.method, req.uri_template, error, exc_info=error)
    tell(resp, status, str(error), *_fields_of(error))
    if isinstance(error, TooManyAttempts):
        resp.set_header("Retry-After", str(error.seconds))


async def tell_unexpected(
    req: falcon.asgi.Request,
    resp: falcon.asgi.Response,
    error: Exception,
    params: dict[str, Any],  # noqa: ARG001  # falcon's signature
) -> None:
    """The whole of it goes to the log, and nothing of it to the client."""
    log.error("%s %s failed", req.method, req.uri_template, exc_info=error)
    tell(resp, HTTPStatus.INTERNAL_SERVER_ERROR, "the request failed; the log says why")


def tell_http_error(
    req: falcon.asgi.Request,  # noqa: ARG001  # falcon's signature
    resp: falcon.asgi.Response,
    error: HTTPError,
) -> None:
    """What falcon itself refuses: unknown routes, wrong methods, malformed requests."""
    tell(resp, error.status_code, error.description or error.title or "the request was refused")


def _fields_of(error: DomainError) -> list[FieldProblem]:
    match error:
        case InvalidFields():
            return error.fields
        case InvalidInput():
            return [FieldProblem(field=error.field, message=error.reason)]
        case _:
            return []
