"""What a watcher knows of the queue: a list, and the changes since."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from entrypoints.cli.api_client.event_stream import ServerEvent
from entrypoints.cli.work.queue_client import Item, Which
from entrypoints.cli.work.words import instant

ORDER = ("Running", "Queued")
NO_TIME = timedelta()


@dataclass(slots=True, kw_only=True)
class Watched:
    """The newest state of each item that the filter takes."""

    which: Which
    most: int
    cursor: str | None = None
    must_list: bool = True
    lease: timedelta = NO_TIME
    """How long a sign of life holds: what the API has, or the longest that was seen."""
    _items: dict[str, dict[str, Any]] = field(default_factory=dict)
    _server_time: datetime | None = None

    def start(
        self, page: Item, *, running: Sequence[Item] = (), lease: timedelta = NO_TIME
    ) -> None:
        """Begin anew with a page of the list, and with what was read after it of what runs."""
        self.lease = max(self.lease, lease)
        self._items = {item["id"]: dict(item) for item in [*page["items"], *running]}
        self.cursor, self.must_list = page["cursor"], False
        self._tell_time(page["serverTime"])

    def take(self, event: ServerEvent) -> Item | None:
        """Learn from an event; the item that it was about, where one is shown."""
        if event.cursor is not None:
            self.cursor = event.cursor
        data = json.loads(event.data) if event.data else {}
        match event.name:
            case "work-item":
                return self._put(data)
            case "work-item-removed":
                self._items.pop(data["id"], None)
            case "leases":
                self._tell_leases(data)
            case "reset":
                self.must_list = True
            case _:
                pass  # the opening of a stream, or an event of a later release
        return None

    def rows(self) -> Sequence[Item]:
        """What runs, then what waits, then what ended last; at most so many."""
        newest_first = sorted(
            self._items.values(), key=lambda item: str(item["updatedAt"]), reverse=True
        )
        return sorted(newest_first, key=_rank)[: self.most]

    def now(self) -> datetime | None:
        """The database's time, as far as it was told."""
        return self._server_time

    def _put(self, item: dict[str, Any]) -> Item | None:
        known = self._items.get(item["id"])
        if known is not None and instant(known["updatedAt"]) > instant(item["updatedAt"]):
            return None  # the stream repeats itself after a resume
        if not self.which.takes(item):
            self._items.pop(item["id"], None)
            return None
        self._items[item["id"]] = item
        self._forget()
        return item

    def _forget(self) -> None:
        """Bounded, however long somebody watches."""
        if len(self._items) > 2 * self.most:
            self._items = {str(item["id"]): dict(item) for item in self.rows()}

    def _tell_leases(self, data: dict[str, Any]) -> None:
        self._tell_time(data["serverTime"])
        for item_id, until in data["leases"].items():
            if item_id in self._items:
                self._items[item_id]["leaseUntil"] = until
            if self._server_time is not None:
                self.lease = max(self.lease, instant(until) - self._server_time)

    def _tell_time(self, text: str) -> None:
        self._server_time = instant(text)


def _rank(item: Item) -> int:
    status = item["status"]
    return ORDER.index(status) if status in ORDER else len(ORDER)
