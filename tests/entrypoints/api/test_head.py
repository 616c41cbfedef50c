"""HEAD is GET without the body."""

from pathlib import Path

import pytest

from adapters.postgres.engine import PostgresAddress
from entrypoints.api.container import ApiContainer
from tests.entrypoints.api.client import Client
from tests.entrypoints.api.raw_http import connected, read_to_end, request
from tests.entrypoints.api.running_host import running_host

pytestmark = pytest.mark.postgres
EVENTS = "/api/v1/admin/work-items/events"
SAID = ("content-type", "content-length", "cache-control", "etag")


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/healthz",
        "/api/v1/readyz",
        "/api/v1/openapi.json",
        "/api/v1/admin/users",
        "/api/v1/admin/work-items/counts",
    ],
)
def test_it_says_what_get_says_and_sends_nothing(client: Client, path: str) -> None:
    head, get = client("HEAD", path), client("GET", path)
    assert (head.status, head.content) == (200, b"")
    assert int(head.headers["content-length"]) > 0
    assert [head.headers.get(name) for name in SAID] == [get.headers.get(name) for name in SAID]


def test_the_page_has_one_too(anonymous: Client) -> None:
    answer = anonymous.falcon.simulate_head("/admin/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/html")


def test_it_is_refused_as_get_is(anonymous: Client, owner: Client) -> None:
    for caller, status in ((anonymous, 401), (owner, 403)):
        answer = caller("HEAD", "/api/v1/admin/users")
        assert (answer.status, answer.content) == (status, b"")


def test_it_opens_no_stream(client: Client, container: ApiContainer) -> None:
    answer = client("HEAD", EVENTS)
    assert (answer.status, answer.content) == (200, b"")
    assert answer.headers["content-type"] == "text/event-stream"
    assert container.hub().open_streams() == 0


def test_what_has_no_get_has_no_head(client: Client) -> None:
    answer = client("HEAD", "/api/v1/auth/login")
    assert (answer.status, answer.headers["allow"]) == (405, "POST, OPTIONS")


@pytest.mark.process
def test_the_next_answer_comes_right_after_its_head(
    database: PostgresAddress, tmp_path: Path
) -> None:
    head = b"HEAD /api/v1/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with running_host(database, tmp_path) as host, connected(host.port) as connection:
        connection.sendall(head + request())
        first, second, body = read_to_end(connection).split(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 200 ")
    assert second.startswith(b"HTTP/1.1 200 ")
    assert body == b'{"status":"alive"}'
