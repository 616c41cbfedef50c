"""The live stream of a running host, as a client over the network reads it."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse

from adapters.postgres.users import PostgresUsers
from domain.identity.user import User
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.api.live.world import Event, parsed
from tests.entrypoints.api.running_host import RunningHost

EVENTS = "/api/v1/admin/work-items/events"
FAST = {"WORK_ITEM_EVENTS__INTERVAL_SECONDS": "0.2"}


@dataclass(frozen=True)
class Api:
    """A running host, an admin's token, and the database behind them."""

    host: RunningHost
    token: str
    admin: User
    users: PostgresUsers
    work: PostgresPorts

    def request(
        self, method: str, path: str, **headers: str
    ) -> tuple[HTTPConnection, HTTPResponse]:
        connection = self.host.connect()
        authorization = {"Authorization": f"Bearer {self.token}"}
        connection.request(method, path, headers={**authorization, **headers})
        return connection, connection.getresponse()

    def stream(self, **headers: str) -> HTTPResponse:
        _, response = self.request("GET", EVENTS, **headers)
        assert response.status == 200
        return response

    def unread_stream(self) -> socket.socket:
        """A client that asks for the stream and never reads."""
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        client.connect(("127.0.0.1", self.host.port))
        head = f"GET {EVENTS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.token}\r\n\r\n"
        client.sendall(head.encode())
        return client


def events(response: HTTPResponse) -> Iterator[Event]:
    block = b""
    while line := response.readline():
        block += line
        if line == b"\n":
            yield from parsed(block)
            block = b""


def next_item(response: HTTPResponse) -> Event:
    return next(event for event in events(response) if event.name.startswith("work-item"))
