"""Bytes to a running host, and what came back."""

import contextlib
import json
import socket
import time
from dataclasses import dataclass
from typing import Any

SECONDS = 20


@dataclass(frozen=True, kw_only=True)
class RawAnswer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)


def exchange(port: int, sent: bytes) -> RawAnswer:
    """The first answer to these bytes; the request should ask to close the connection."""
    with connected(port) as connection:
        # It may be refused before all of it was sent; the answer is there then.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(sent)
        return parsed(read_to_end(connection))


def request(
    method: str = "GET", path: str = "/api/v1/healthz", *headers: str, body: bytes = b""
) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers]
    if body and not any("Transfer-Encoding" in line for line in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def read_to_end(connection: socket.socket) -> bytes:
    received = b""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            more = connection.recv(65_536)
        except ConnectionResetError:
            break
        if not more:
            break
        received += more
    return received


def parsed(received: bytes) -> RawAnswer:
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    if headers.get("transfer-encoding") == "chunked":
        size, _, rest = body.partition(b"\r\n")
        body = rest[: int(size, 16)]
    return RawAnswer(status=int(first.split(" ")[1]), headers=headers, body=body)
