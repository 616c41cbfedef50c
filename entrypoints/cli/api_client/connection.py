"""HTTP to the API by the standard library: no redirect is followed, every wait has a limit."""

import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any

from entrypoints.cli.api_client.address import ApiAddress
from entrypoints.cli.api_client.faults import ApiFault, ApiRefused, ApiUnreachable

TRY_LATER = frozenset(
    {
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)
REFUSALS = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
MOST_BYTES = 64 * 1024 * 1024
STREAM_SILENCE_SECONDS = 40.0
"""The API says something at least every 15 s."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A status and what the JSON says; None where there is none."""

    status: int
    content: Any

    def accepted(self, *statuses: int) -> Any:
        """The content, where the status is one of these; else what the problem is."""
        if self.status in statuses:
            return self.content
        raise _fault(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiConnection:
    address: ApiAddress
    timeout: float = 20.0

    def call(
        self, method: str, path: str, *, body: object = None, token: str | None = None
    ) -> Answer:
        """One request below `/api/v1`; ApiUnreachable when no answer comes."""
        with self._response(method, path, _headers(token), body, self.timeout) as response:
            return self._answer(response)

    @contextmanager
    def stream(self, path: str, token: str, last_event_id: str | None) -> Iterator[Iterator[bytes]]:
        """The lines of an answer that goes on; ApiUnreachable when it falls silent."""
        headers = _headers(token) | {"Accept": "text/event-stream"}
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        with self._response("GET", path, headers, None, STREAM_SILENCE_SECONDS) as response:
            if response.status != HTTPStatus.OK:
                raise _fault(self._answer(response))
            yield self._lines(response)

    @contextmanager
    def _response(
        self, method: str, path: str, headers: Mapping[str, str], body: object, timeout: float
    ) -> Iterator[HTTPResponse]:
        connection = self._opened(timeout)
        data = None if body is None else json.dumps(body)
        where = f"{self.address.path}/api/v1{path}"
        try:
            with self._named():
                connection.request(method, where, data, dict(headers))
                response = connection.getresponse()
            yield response
        finally:
            connection.close()

    def _answer(self, response: HTTPResponse) -> Answer:
        with self._named():
            text = response.read(MOST_BYTES)
        try:
            return Answer(response.status, json.loads(text) if text else None)
        except ValueError:
            return Answer(response.status, None)

    def _lines(self, response: HTTPResponse) -> Iterator[bytes]:
        while True:
            with self._named():
                line = response.readline(MOST_BYTES)
            if not line:
                return
            yield line

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except ConnectionRefusedError as error:
            raise ApiUnreachable(
                f"nothing listens at {self.address} (connection refused): is `make run`, or"
                " `anichron api`, running there?"
            ) from error
        except (OSError, HTTPException) as error:
            said = str(error) or type(error).__name__
            raise ApiUnreachable(f"the API at {self.address} does not answer: {said}") from error

    def _opened(self, timeout: float) -> HTTPConnection:
        host, port = self.address.host, self.address.port
        if self.address.is_secure:
            context = ssl.create_default_context()
            return HTTPSConnection(host, port, timeout=timeout, context=context)
        return HTTPConnection(host, port, timeout=timeout)


def _headers(token: str | None) -> dict[str, str]:
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    return headers if token is None else headers | {"Authorization": f"Bearer {token}"}


def _fault(answer: Answer) -> Exception:
    problem = answer.content if isinstance(answer.content, dict) else {}
    said = problem.get("detail") or problem.get("title") or "an answer that is not the API's"
    if answer.status in REFUSALS:
        return ApiRefused(str(said))
    kind = ApiUnreachable if answer.status in TRY_LATER else ApiFault
    return kind(f"{said} (HTTP {answer.status})")
