"""The API under gunicorn, and clients that send too much, too slowly, or what is no HTTP."""

import base64
import contextlib
import json
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from adapters.postgres.engine import PostgresAddress
from tests.entrypoints.api.raw_http import (
    SECONDS,
    RawAnswer,
    connected,
    exchange,
    parsed,
    read_to_end,
    request,
)
from tests.entrypoints.api.running_host import RunningHost, running_host
from tests.soak.samples import MEMORY, children_of, taken_of

pytestmark = [pytest.mark.postgres, pytest.mark.process]

LOG_IN = "/api/v1/auth/login"
JSON = "Content-Type: application/json"
CHUNKED = "Transfer-Encoding: chunked"
KIB = 1_024


@pytest.fixture
def host(database: PostgresAddress, tmp_path: Path) -> Iterator[RunningHost]:
    # Clients here share a machine with the host, and may wait for their turn longer than it would.
    with serving(
        database, tmp_path, HTTP__REQUEST_SECONDS="60", HTTP__MAX_CONNECTIONS="20"
    ) as running:
        yield running


@contextmanager
def serving(database: PostgresAddress, home: Path, **environment: str) -> Iterator[RunningHost]:
    """A host that comes through whatever is sent to it meanwhile."""
    with running_host(database, home, LOG_LEVEL="debug", **environment) as running:
        yield running
        assert running.process.poll() is None
        assert exchange(running.port, request()).status == 200, "it still serves"
        log = running.log.read_text()
        assert "Traceback" not in log, log


def assert_told_well(answer: RawAnswer) -> None:
    """The headers of every answer, and a problem document for what was refused."""
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["cache-control"] == "no-store"
    assert "gunicorn" not in answer.headers.get("server", "")
    if answer.status >= 400:
        assert answer.headers["content-type"] == "application/problem+json"
        if answer.body:
            assert answer.json["status"] == answer.status


def chunked(body: bytes, size: int = 16 * KIB) -> bytes:
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in [*parts, b""])


DEEP = base64.urlsafe_b64encode(b'{"alg": "HS256", "x": ' + b"[" * 5_000).decode().rstrip("=")
REQUESTS = {
    "alive": (request(), 200),
    "unknown route": (request(path="/nothing"), 404),
    "no token": (request(path="/api/v1/me/memories?month=1&day=1"), 401),
    "a cursor of 4 KiB": (request(path=f"/api/v1/me/memories?cursor={'a' * 4_096}"), 414),
    "a line of 1 MiB": (request(path="/" + "a" * KIB * KIB), 414),
    "many fields": (request("GET", "/", *(f"X-{n}: 1" for n in range(101))), 431),
    "a large field": (request("GET", "/", f"X: {'a' * 8_200}"), 431),
    "a field without end": (b"GET / HTTP/1.1\r\nX: " + b"a" * KIB * KIB, 431),
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "no field": (b"GET / HTTP/1.1\r\nnonsense\r\n\r\n", 400),
    "an unknown version": (b"GET / HTTP/9.9\r\n\r\n", 400),
    "two lengths": (request("POST", LOG_IN, "Content-Length: 1", "Content-Length: 2"), 400),
    "length and chunks": (request("POST", LOG_IN, CHUNKED, "Content-Length: 2", body=b"x"), 400),
    "a negative length": (request("POST", LOG_IN, JSON, "Content-Length: -1"), 400),
    "an unknown coding": (request("POST", LOG_IN, "Transfer-Encoding: gzip", body=b"x"), 400),
    "a bad chunk": (request("POST", LOG_IN, JSON, CHUNKED, body=b"zz\r\n"), 400),
    "no body": (request("POST", LOG_IN, JSON), 400),
    "no content type": (request("POST", LOG_IN, body=b"{}"), 415),
    "a body of 64 KiB and 1": (request("POST", LOG_IN, JSON, body=b" " * (64 * KIB + 1)), 413),
    "a huge length": (request("POST", LOG_IN, JSON, f"Content-Length: {10**15}") + b"x", 413),
    "a long body without a length": (
        request("POST", LOG_IN, JSON, CHUNKED, body=chunked(b" " * (65 * KIB))),
        413,
    ),
    "a body of brackets": (request("POST", LOG_IN, JSON, body=b"[" * 64 * KIB), 400),
    "deep in a field": (request("POST", LOG_IN, JSON, body=b'{"a":' * 10_000), 400),
    "a compressed body": (
        request("POST", LOG_IN, JSON, "Content-Encoding: gzip", body=b"\x1f\x8b\x08"),
        400,
    ),
    "many parameters": (request("POST", LOG_IN + "?" + "a=1&" * 1_000, JSON), 400),
    "a deep token": (
        request("GET", "/api/v1/me/storage-configs", f"Authorization: Bearer {DEEP}.e30.eA"),
        401,
    ),
    "a web socket": (
        request(
            "GET",
            "/api/v1/admin/work-items/events",
            *("Connection: Upgrade", "Upgrade: websocket"),
            *("Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg=="),
        ),
        401,
    ),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "HEAD": (request("HEAD"), 200),
    "TRACE": (request("TRACE"), 405),
    "CONNECT": (b"CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n", 404),
    "an unknown method": (request("BREW"), 400),
    "a path that climbs": (request(path="/../../etc/passwd"), 404),
    "a path that climbs by escapes": (request(path="/api/v1/%2e%2e/%2e%2e/etc/passwd"), 404),
    "an absolute target": (request(path="http://example.org/api/v1/healthz"), 404),
}


def test_what_is_sent_is_answered_in_one_form(host: RunningHost) -> None:
    for name, (sent, status) in REQUESTS.items():
        answer = exchange(host.port, sent)
        assert answer.status == status, (name, answer)
        assert_told_well(answer)
        assert b"aaaa" not in answer.body, "nothing of a long request is sent back"


def test_odd_header_values_are_no_fault_of_ours(host: RunningHost) -> None:
    odd = ("", "a b", "\xff\xfe", "[::1", "%", ",", ";", "=" * 4_000, "1" * 4_000, "None", "*")
    names = (
        *("Host", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"),
        *("Authorization", "Content-Type", "Accept", "Accept-Encoding", "Cookie", "Range"),
        *("If-None-Match", "If-Modified-Since", "Last-Event-ID", "Expect", "Upgrade", "Date"),
    )
    body = json.dumps({"username": "nobody", "password": "a guess"}).encode()
    for name in names:
        for value in odd:
            for method, path in (("POST", LOG_IN), ("GET", "/api/v1/admin/work-items/events")):
                lines = [f"{method} {path} HTTP/1.1", "Connection: close", f"{name}: {value}"]
                if name != "Content-Type":
                    lines.append(JSON)
                if name != "Host":
                    lines.append("Host: localhost")
                lines.append(f"Content-Length: {len(body)}")
                sent = "\r\n".join([*lines, "", ""]).encode("latin-1") + body
                answer = exchange(host.port, sent)
                assert 400 <= answer.status < 500, (name, value, answer)
                assert_told_well(answer)


def test_whoever_is_slow_is_told_or_left_within_the_limit(
    database: PostgresAddress, tmp_path: Path
) -> None:
    with serving(database, tmp_path, HTTP__REQUEST_SECONDS="3") as host, ExitStack() as stack:
        begun = time.monotonic()
        idle, slow, cut = (stack.enter_context(connected(host.port)) for _ in range(3))
        cut.sendall(request("POST", LOG_IN, JSON, "Content-Length: 100") + b"{")
        assert exchange(host.port, request()).status == 200, "others are served meanwhile"
        send_slowly_until_answered(slow)
        assert time.monotonic() - begun >= 3, "nobody is left before the time is over"
        for connection in (idle, slow):
            answer = parsed(read_to_end(connection))
            assert answer.status == 408
            assert_told_well(answer)
        assert read_to_end(cut) == b""


def send_slowly_until_answered(connection: socket.socket) -> None:
    """A byte now and then, which must not buy more time."""
    end = time.monotonic() + SECONDS
    while not select.select([connection], [], [], 0.5)[0]:
        connection.sendall(b"G")
        assert time.monotonic() < end


def test_connections_beyond_the_limit_are_closed_and_the_rest_goes_on(host: RunningHost) -> None:
    assert exchange(host.port, request()).status == 200, "whoever was there before is gone"
    with ExitStack() as stack:
        opened = {stack.enter_context(connected(host.port)) for _ in range(30)}
        refused = closed_of(opened, 10)
        # Were one that is refused counted off, there would be room for these.
        more = {stack.enter_context(connected(host.port)) for _ in range(10)}
        assert closed_of(more, 10) == more
        for connection in opened - refused:
            connection.sendall(request())
            assert parsed(read_to_end(connection)).status == 200


def closed_of(connections: set[socket.socket], number: int) -> set[socket.socket]:
    """Wait until so many have ended, without an answer."""
    end = time.monotonic() + SECONDS
    closed: set[socket.socket] = set()
    while len(closed) < number and time.monotonic() < end:
        for connection in select.select(list(connections - closed), [], [], 1)[0]:
            assert read_to_end(connection) == b""
            closed.add(connection)
    assert len(closed) == number
    return closed


PIPELINED_SECONDS = 5
MOST_GROWTH_MB = 60  # 4 connections; what they sent is many times more


def test_requests_that_are_sent_ahead_by_the_thousand_are_not_all_taken_in(
    host: RunningHost,
) -> None:
    """gunicorn reads on after each answer, however much is buffered: a gigabyte in 30 s."""
    server = children_of(host.process.pid)[0]
    before = taken_of(server)[MEMORY]
    many = b"GET /api/v1/healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 2_000
    with ExitStack() as stack:
        clients = [stack.enter_context(connected(host.port)) for _ in range(4)]
        for client in clients:
            client.setblocking(False)
        sent, end = 0, time.monotonic() + PIPELINED_SECONDS
        while time.monotonic() < end:
            for client in select.select([], clients, [], 0.05)[1]:
                with contextlib.suppress(BlockingIOError, ConnectionError):
                    sent += client.send(many)
        grown = taken_of(server)[MEMORY] - before
    assert sent > 0
    assert grown < MOST_GROWTH_MB
