"""A client of the live stream: it lists once, then follows, and comes back where it was cut off."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any
from uuid import UUID

from tests.chaos.api_client import ApiClient
from tests.chaos.history import Item

PATH = "/admin/work-items"
SILENCE_SECONDS = 12.0
"""The stream has something to say every 2 s, be it that it is still there."""
BACK_AFTER_SECONDS = 0.5
PAGE = 200


@dataclass
class Watcher:
    """`items` is what an admin would see; complete once `follow` has listed."""

    api: ApiClient
    stopped: threading.Event
    items: dict[UUID, Item] = field(default_factory=dict)
    cursor: str | None = None
    events: int = 0
    opened: int = 0
    resets: int = 0

    def follow(self) -> None:
        """Until it is told to stop; a thread's whole life."""
        while not self.stopped.is_set():
            if self.cursor is not None or self._list():
                self._read_stream()
            self.stopped.wait(BACK_AFTER_SECONDS)

    def _list(self) -> bool:
        """List everything, page by page; whether it worked."""
        found: dict[UUID, Item] = {}
        cursor, page = None, 1
        while True:
            status, body = self.api.call("GET", f"{PATH}?page={page}&pageSize={PAGE}")
            if status != 200:
                return False
            cursor = cursor or str(body["cursor"])
            found |= {item.id: item for item in map(_item, body["items"])}
            if len(body["items"]) < PAGE:
                self.items, self.cursor = found, cursor
                return True
            page += 1

    def _read_stream(self) -> None:
        began = time.time()
        connection = HTTPConnection("127.0.0.1", self.api.port, timeout=SILENCE_SECONDS)
        with closing(connection):
            try:
                headers = {"Last-Event-ID": str(self.cursor)}
                response = self.api.send(connection, "GET", f"{PATH}/events", headers=headers)
                retry_after = response.getheader("Retry-After") is not None
                self.api.note("GET events", began, response.status, retry_after=retry_after)
                if response.status == 200:
                    self.opened += 1
                    self._take(response)
            except (OSError, HTTPException, ValueError) as error:
                # The answer itself may last for ever: only the silence at its end counts.
                waited = max(began, time.time() - SILENCE_SECONDS)
                reason = f"{type(error).__name__}: {error}"
                self.api.note("GET events", waited, None, reason=reason)

    def _take(self, response: HTTPResponse) -> None:
        for event in _events(response):
            if self.stopped.is_set():
                return
            self.events += 1
            match event.get("event"):
                case "work-item":
                    item = _item(json.loads(event["data"]))
                    self.items[item.id] = item
                case "work-item-removed":
                    self.items.pop(UUID(json.loads(event["data"])["id"]), None)
                case "reset":
                    self.resets += 1
                    self.cursor = None
                    return
                case _:
                    pass
            self.cursor = event.get("id", self.cursor)


def _events(response: HTTPResponse) -> Iterator[dict[str, str]]:
    """Each event as its fields; also what has only an id, or nothing but a comment."""
    fields: dict[str, str] = {}
    while line := response.readline():
        text = line.decode().rstrip("\n")
        if text:
            name, _, value = text.partition(": ")
            fields[name] = value
            continue
        yield fields
        fields = {}


def _item(shown: dict[str, Any]) -> Item:
    return Item(
        id=UUID(shown["id"]),
        status=shown["status"],
        attempt=shown["attempt"],
        stalls=shown["stalls"],
        result=shown.get("result"),
    )
