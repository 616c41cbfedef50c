"""The port that monitors ask."""

import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection

import pytest

from domain.errors import InvalidInput
from entrypoints.common.status_server import Status, StatusServer
from tests.entrypoints.api.running_host import free_port


@dataclass
class Stage:
    port: int
    alive: str | None = None
    ready: str | None = None

    def get(self, path: str) -> tuple[int, str, str]:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=5)) as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            kind = answer.getheader("Content-Type") or ""
            return answer.status, answer.read().decode(), kind

    def status(self) -> Status:
        return Status(
            metrics=lambda: b"up 1\n",
            metrics_type="text/plain; version=1",
            alive=lambda: self.alive,
            ready=lambda: self.ready,
        )


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage(free_port())
    server = StatusServer(stage.status(), address="127.0.0.1", port=stage.port, variable="X")
    server.start()
    yield stage
    server.stop()


def test_metrics_are_told_in_their_own_type(stage: Stage) -> None:
    assert stage.get("/metrics") == (200, "up 1\n", "text/plain; version=1")


def test_alive_and_ready_are_two_questions(stage: Stage) -> None:
    assert stage.get("/healthz")[:2] == (200, "alive\n")
    assert stage.get("/readyz")[:2] == (200, "ready\n")
    stage.ready = "the database is away"
    assert stage.get("/healthz")[:2] == (200, "alive\n")
    assert stage.get("/readyz")[:2] == (503, "the database is away\n")
    stage.alive = "stuck: heartbeat"
    assert stage.get("/healthz")[:2] == (503, "stuck: heartbeat\n")


def test_head_is_get_without_the_body(stage: Stage) -> None:
    stage.ready = "the database is away"
    ask = b"HEAD /readyz HTTP/1.0\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", stage.port), timeout=5)) as connection:
        connection.sendall(ask)
        head, _, body = connection.makefile("rb").read().partition(b"\r\n\r\n")
    assert b" 503 " in head.splitlines()[0]
    assert b"Content-Length: 21" in head.splitlines()
    assert body == b""


def test_nothing_else_is_there(stage: Stage) -> None:
    assert stage.get("/")[0] == 404
    assert stage.get("/api/v1/admin/users")[0] == 404


def test_a_client_that_says_nothing_keeps_nobody_waiting(stage: Stage) -> None:
    with closing(socket.create_connection(("127.0.0.1", stage.port))):
        assert stage.get("/healthz")[0] == 200


def test_a_port_that_is_taken_names_its_variable(stage: Stage) -> None:
    second = StatusServer(
        stage.status(), address="127.0.0.1", port=stage.port, variable="STATUS__WORKER_PORT"
    )
    with pytest.raises(InvalidInput, match=r"^STATUS__WORKER_PORT: cannot listen on 127\.0\.0\.1"):
        second.start()
    second.stop()


def test_a_server_that_stopped_lets_go_of_its_port() -> None:
    stage = Stage(free_port())
    for _ in range(2):
        server = StatusServer(stage.status(), address="127.0.0.1", port=stage.port, variable="X")
        server.start()
        assert stage.get("/healthz")[0] == 200
        server.stop()
