"""Clients of the live view that come and go, a hundred at a time."""

import asyncio
import random
import threading
from collections import Counter
from dataclasses import dataclass, field

EVENTS = "/api/v1/admin/work-items/events"
SHORTEST_SECONDS, LONGEST_SECONDS = 1.0, 20.0
ANSWER_SECONDS = 20.0


@dataclass
class StreamCrowd:
    """Each stays for some seconds, reads, drops its connection without a word, and comes back."""

    port: int
    token: str
    clients: int
    seed: int
    statuses: Counter[str] = field(default_factory=Counter)
    events: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=lambda: asyncio.run(self._all()), daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(LONGEST_SECONDS + ANSWER_SECONDS)

    async def _all(self) -> None:
        await asyncio.gather(*(self._client(number) for number in range(self.clients)))

    async def _client(self, number: int) -> None:
        chance = random.Random(self.seed + number)  # noqa: S311  # no secret
        while not self._stop.is_set():
            try:
                await self._visit(chance.uniform(SHORTEST_SECONDS, LONGEST_SECONDS))
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as fault:
                self.statuses[type(fault).__name__] += 1
                await asyncio.sleep(1)

    async def _visit(self, seconds: float) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            head = f"GET {EVENTS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.token}\r\n\r\n"
            writer.write(head.encode())
            line = await asyncio.wait_for(reader.readline(), ANSWER_SECONDS)
            self.statuses[line.split()[1].decode() if line else "nothing"] += 1
            end = asyncio.get_running_loop().time() + seconds
            while not self._stop.is_set() and asyncio.get_running_loop().time() < end:
                said = await asyncio.wait_for(reader.read(65_536), ANSWER_SECONDS)
                if not said:
                    self.statuses["ended by the host"] += 1
                    return
                self.events += said.count(b"event: work-item")
        finally:
            writer.close()
