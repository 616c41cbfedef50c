"""gunicorn's worker, with limits on what it waits for and errors in our form.

gunicorn waits for the head of a first request for ever, counts connections without a limit and
answers its own refusals as bare text. What is replaced here is named for what gunicorn calls it; a
test starts the host and meets each of them, so that a release that renames one is noticed; and
pyproject.toml admits no next major one unseen.
"""

import asyncio
import functools
import logging
import resource
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi
from typing_extensions import override

from entrypoints.api.problems import PROBLEM_JSON, Problem
from entrypoints.api.security_headers import ALWAYS, UNLESS_SAID
from entrypoints.common.settings import Settings

log = logging.getLogger(__name__)

FILES_BESIDE_CONNECTIONS: Final = 200
MOST_BUFFERED: Final = 65_536
"""Bytes of a connection that may wait to be looked at, before no more are read."""
DETAILS: Final = {
    HTTPStatus.BAD_REQUEST: "the request is not HTTP as it is understood here",
    HTTPStatus.REQUEST_TIMEOUT: "the request took too long to arrive",
    HTTPStatus.REQUEST_URI_TOO_LONG: "the first line of the request is too long",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "the header fields are too many or too large",
    HTTPStatus.INTERNAL_SERVER_ERROR: "the request failed; the log says why",
    HTTPStatus.NOT_IMPLEMENTED: "the transfer coding is not known here",
}


class ApiWorker(gasgi.ASGIWorker):  # type: ignore[misc]  # gunicorn ships no types
    """Serves with connections of ours."""

    @override
    def init_process(self) -> None:
        # The worker makes connections by this name of its module and offers no other way.
        gasgi.ASGIProtocol = functools.partial(
            ClientConnection, seconds=Settings().http.request_seconds
        )
        super().init_process()


class ClientConnection(ASGIProtocol):  # type: ignore[misc]
    """One connection; whoever sends a request sends it within a time."""

    def __init__(self, worker: Any, *, seconds: float) -> None:
        super().__init__(worker)
        self._max_buffer_size = MOST_BUFFERED
        self._seconds = seconds
        self._deadline: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: Any) -> None:
        if self.worker.nr_conns >= self.worker.worker_connections:
            self._closed = self._conn_lost_handled = True
            transport.abort()
            return
        super().connection_made(transport)
        self._begin_to_wait()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    @override
    def _on_headers_complete(self) -> Any:
        self._begin_to_wait()
        return super()._on_headers_complete()

    @override
    def _on_message_complete(self) -> None:
        self._wait_no_more()
        super()._on_message_complete()

    @override
    def _is_websocket_upgrade(self, request: object) -> bool:
        """Nothing here speaks it; a request may always be answered as if it had not asked."""
        return False

    @override
    def _send_error_response(
        self, status: int, message: str, extra_headers: Iterable[tuple[str, str]] = ()
    ) -> None:
        """What gunicorn says may quote the request; the status says enough."""
        self._safe_write(error_page(HTTPStatus(status), extra_headers))

    @override
    def _resume_reading(self) -> None:
        """Gunicorn reads on after each request, however many more are buffered already."""
        if not self._is_buffer_full():
            super()._resume_reading()

    def _begin_to_wait(self) -> None:
        self._wait_no_more()
        self._deadline = self.worker.loop.call_later(self._seconds, self._give_up)

    def _wait_no_more(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()

    def _give_up(self) -> None:
        has_head = self._current_request is not None
        if not has_head:  # else the answer belongs to the application, which hears of the end
            self._send_error_response(HTTPStatus.REQUEST_TIMEOUT, "")
        self._close_transport()


def error_page(status: HTTPStatus, more: Iterable[tuple[str, str]] = ()) -> bytes:
    """A whole answer that tells the problem and ends the connection."""
    detail = DETAILS.get(status, "the request was refused")
    problem = Problem(title=status.phrase, status=status, detail=detail)
    body = problem.model_dump_json(by_alias=True).encode()
    headers = {
        **ALWAYS,
        **UNLESS_SAID,
        **dict(more),
        "Content-Type": PROBLEM_JSON,
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    lines = [f"HTTP/1.1 {status} {status.phrase}", *(f"{n}: {v}" for n, v in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def room_for_connections(wanted: int) -> int:
    """How many connections the process may have; raises its limit of open files where it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + FILES_BESIDE_CONNECTIONS
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return wanted
    return max(1, min(wanted, soft - FILES_BESIDE_CONNECTIONS))


def warn_of_fewer_connections(wanted: int, possible: int) -> None:
    """Say it, once the log is set up, when there is no room for as many as were asked for."""
    if possible < wanted:
        log.warning(
            "HTTP__MAX_CONNECTIONS is %d, and %d are accepted:"
            " each takes an open file, of which this process may not have more",
            wanted,
            possible,
        )
