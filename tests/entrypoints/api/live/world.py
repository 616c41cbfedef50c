"""A hub over in-memory ports, and what its streams say."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from typing_extensions import override

from application.ports.stopwatch import Stopwatch
from application.ports.users import NewUser
from application.ports.work_item_changes import Change
from application.ports.work_item_reader import ListedItem
from application.use_cases.recheck_watchers import RecheckWatchers
from application.use_cases.watch_work import ChangeFeed
from domain.identity.user import User
from domain.work.cursor import format_instant
from domain.work.item import WorkItem
from entrypoints.api.live.hub import Hub
from entrypoints.api.live.stream import Stream, Watcher
from entrypoints.api.offload import Offload
from tests.fakes.accounts import Accounts
from tests.fakes.host_clock import InMemoryClock
from tests.fakes.users import InMemoryUsers
from tests.fakes.work_item_changes import InMemoryWorkItemChanges

BACKLOG = 15
INTERVAL = 0.02
SECOND = timedelta(seconds=1)


@dataclass
class InMemoryStopwatch(Stopwatch):
    """Goes with the clock that the test moves."""

    clock: InMemoryClock

    @override
    def elapsed(self) -> float:
        return self.clock.instant.timestamp()


@dataclass
class World:
    keep_alive_seconds: float = 5.0
    most_streams: int = 1_000
    ring_size: int = 4_000
    accounts: Accounts = field(default_factory=Accounts)
    aborted: list[UUID] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = self.accounts.clock
        self.users = InMemoryUsers(self.accounts)
        self.changes = InMemoryWorkItemChanges(self.clock)
        self.offload = Offload(2)
        self.hub = Hub(
            feed=ChangeFeed(
                changes=self.changes,
                stopwatch=InMemoryStopwatch(self.clock),
                lookback=10 * SECOND,
                ring_size=self.ring_size,
            ),
            recheck=RecheckWatchers(users=self.users),
            offload=self.offload,
            clock=self.clock,
            interval_seconds=INTERVAL,
            keep_alive_seconds=self.keep_alive_seconds,
            backlog_looks=BACKLOG,
            remembered_items=4_000,
            most_streams=self.most_streams,
        )
        self.admin = self.user("root")

    def user(self, name: str) -> User:
        return self.users.add(
            NewUser(name=name, email=f"{name}@x", password_hash="", is_admin=True)
        )

    def change(self, item_id: UUID | None = None, *, gone: bool = False, note: str = "") -> str:
        """Something changes now, a second after what changed before; its cursor."""
        self.clock.move(SECOND)
        now = self.clock.now()
        item = WorkItem(
            id=item_id or uuid4(),
            kind="Crawl",
            payload={"note": note},
            requested_at=now,
            updated_at=now,
        )
        listed = None if gone else ListedItem(item=item, result_omitted=False)
        self.changes.changes = [c for c in self.changes.changes if c.item_id != item.id]
        self.changes.changes.append(Change(item_id=item.id, changed_at=now, item=listed))
        return format_instant(now)

    def watcher(self, user: User | None = None, *, left: timedelta = 900 * SECOND) -> Watcher:
        user_id = (user or self.admin).id
        return Watcher(
            user_id=user_id,
            token_expires_at=self.clock.now() + left,
            abort=lambda: self.aborted.append(user_id),
        )

    async def open(self, last_event_id: str | None = None) -> Stream:
        return await self.hub.open(self.watcher(), last_event_id)

    async def looks(self, times: int) -> None:
        """Wait until the hub has looked so often, with success or without."""
        wanted = self.changes.asked + times
        for _ in range(2_000):
            if self.changes.asked >= wanted:
                return
            await asyncio.sleep(INTERVAL / 4)
        raise AssertionError("the hub looks no more")

    def run(self, test: Callable[[], Awaitable[None]]) -> None:
        """Run the test on a loop on which the hub is looking."""

        async def with_the_hub() -> None:
            self.hub.start()
            try:
                await asyncio.wait_for(test(), 10)
            finally:
                await self.hub.stop()
                self.offload.close()

        asyncio.run(with_the_hub())


@dataclass(frozen=True)
class Event:
    name: str
    id: str | None
    content: Any


def parsed(text: bytes) -> list[Event]:
    """The events of the text as a browser reads them: blocks without data are none."""
    events = []
    for block in text.decode().split("\n\n"):
        lines = [line.partition(": ") for line in block.split("\n") if not line.startswith(":")]
        fields = {name: value for name, _, value in lines}
        if "data" in fields:
            content = json.loads(fields["data"])
            events.append(Event(fields["event"], fields.get("id"), content))
    return events


async def read(stream: Stream, count: int, *, leases: bool = False) -> list[Event]:
    """The next events; those that tell leases are passed over unless asked for."""
    found: list[Event] = []
    while len(found) < count:
        events = parsed(await anext(stream))
        found += [event for event in events if leases or event.name != "leases"]
    return found
