"""Answers monitors on a port of its own: metrics, alive, ready. Knows nobody, tells no media."""

import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

from typing_extensions import override

from domain.errors import InvalidInput

CLIENT_SECONDS = 5.0
"""How long a client may take to ask, and to read."""
TEXT = "text/plain; charset=utf-8"
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What is told. `alive` and `ready` say in a line why not, or None."""

    metrics: Callable[[], bytes]
    metrics_type: str
    alive: Callable[[], str | None]
    ready: Callable[[], str | None]


class StatusServer:
    """Serves from threads of its own, so that a stuck host can still say that it is stuck."""

    def __init__(self, status: Status, *, address: str, port: int, variable: str) -> None:
        """`variable`: the setting that the port comes from, for whoever reads that it is taken."""
        self._status = status
        self._where = (address, port)
        self._variable = variable
        self._server: ThreadingHTTPServer | None = None

    def start(self) -> None:
        """InvalidInput that names the variable where it is not possible to listen."""
        address, port = self._where
        handler = type("Handler", (_Handler,), {"status": self._status})
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        server = type("Server", (_Server,), {"address_family": family})
        try:
            self._server = server(self._where, handler)
        except OSError as error:
            reason = f"cannot listen on {address}:{port}: {error.strerror or error}"
            raise InvalidInput(self._variable, reason) from error
        Thread(target=self._server.serve_forever, name="status", daemon=True).start()

    def stop(self) -> None:
        """Let go of the port."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    @override
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away or sent nonsense; nothing that an operator could do about."""
        logger.debug("a status request of %s failed", client_address)


class _Handler(BaseHTTPRequestHandler):
    status: ClassVar[Status]
    timeout = CLIENT_SECONDS
    server_version = "Anichron"
    sys_version = ""

    def do_GET(self) -> None:
        match self.path.partition("?")[0]:
            case "/metrics":
                self._tell(HTTPStatus.OK, self.status.metrics(), self.status.metrics_type)
            case "/healthz":
                self._judge(self.status.alive(), "alive")
            case "/readyz":
                self._judge(self.status.ready(), "ready")
            case _:
                self._tell(HTTPStatus.NOT_FOUND, b"/metrics, /healthz or /readyz\n", TEXT)

    do_HEAD = do_GET  # noqa: N815  # the library's name

    def _judge(self, fault: str | None, word: str) -> None:
        status = HTTPStatus.OK if fault is None else HTTPStatus.SERVICE_UNAVAILABLE
        self._tell(status, f"{fault or word}\n".encode(), TEXT)

    def _tell(self, status: HTTPStatus, body: bytes, media_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    @override
    def log_message(self, format: str, *args: Any) -> None:
        """Every few seconds somebody asks; that is no news."""
