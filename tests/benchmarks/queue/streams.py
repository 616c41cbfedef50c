"""A thousand clients of the live view on one process: processor, memory and lag."""

import asyncio
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from uuid_utils.compat import uuid7

from application.ports.work_queue import NewWorkItem, WorkQueue
from tests.benchmarks.queue.figures import Figure, at_most, percentile, plain
from tests.benchmarks.queue.rig import rig
from tests.benchmarks.queue.statements import NO_OP
from tests.entrypoints.api.running_host import RunningHost, running_host
from tests.postgres_server import TestServer
from tests.real_admin import add_admin
from tests.soak.samples import MEMORY, children_of, taken_of
from tests.soak.streams import EVENTS

INTERVAL_SECONDS = 2
ITEMS_A_SECOND = 2
TICKS = 100.0
ENTERING = 40
"""At once; the API turns away more than it has room for, and asks them to come again."""


@dataclass
class Crowd:
    """Streams that note when each item reached them."""

    port: int
    token: str
    arrived: list[tuple[str, float]] = field(default_factory=list)

    async def listen(self, clients: int, seconds: float) -> None:
        doors = asyncio.Semaphore(ENTERING)
        opened = await asyncio.gather(*(self._open(doors) for _ in range(clients)))
        readers = [asyncio.create_task(self._read(reader)) for reader, _ in opened]
        await asyncio.sleep(seconds)
        for task in readers:
            task.cancel()
        for _, writer in opened:
            writer.close()

    async def _open(
        self, doors: asyncio.Semaphore
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        async with doors:
            return await self._enter()

    async def _enter(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        head = f"GET {EVENTS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.token}\r\n\r\n"
        writer.write(head.encode())
        line = await asyncio.wait_for(reader.readline(), 60)
        assert b" 200 " in line, line
        return reader, writer

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while True:
            line = await reader.readline()
            if line.startswith(b"data: {") and b'"kind":' in line:
                self.arrived.append((json.loads(line[6:])["id"], time.time()))


def measure(server: TestServer, clients: int = 1_000, seconds: int = 30) -> list[Figure]:
    with rig(server) as one:
        password = uuid4().hex
        add_admin(one.engine, "root", password)
        with running_host(one.address, Path(one.folder)) as host:
            return _measured(one.ports.queue, host, host.log_in("root", password), clients, seconds)


def _burnt(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _measured(
    queue: WorkQueue, host: RunningHost, token: str, clients: int, seconds: int
) -> list[Figure]:
    api = children_of(host.process.pid)[0]
    before = taken_of(api)[MEMORY]
    crowd = Crowd(host.port, token)
    asked: dict[str, float] = {}
    spent: list[float] = []

    async def run() -> None:
        listening = asyncio.create_task(crowd.listen(clients, seconds + 10))
        await asyncio.sleep(8)  # until all are in
        burnt, began = _burnt(api), time.monotonic()
        while time.monotonic() < began + seconds - 5:
            item = NewWorkItem(id=uuid7(), kind="NoOp", payload=NO_OP)
            asked[str(item.id)] = time.time()
            await asyncio.to_thread(queue.enqueue, item)
            await asyncio.sleep(1 / ITEMS_A_SECOND)
        spent.append((_burnt(api) - burnt) / (time.monotonic() - began))
        await listening

    asyncio.run(run())
    lags = [when - asked[item] for item, when in crowd.arrived if item in asked]
    assert len(lags) >= 0.9 * clients * len(asked), f"{len(lags)} of {clients * len(asked)} arrived"
    grown = taken_of(api)[MEMORY] - before
    late = percentile(lags, 0.95)
    return [
        at_most(f"{clients:,} streams: part of a core", 100 * spent[0], "%", spent[0], 0.15),
        at_most(f"{clients:,} streams: memory", grown, "MB", grown, 100),
        at_most(f"{clients:,} streams: lag, p95", late, "s", late, INTERVAL_SECONDS + 0.5),
        plain("events that arrived", len(lags), ""),
    ]
