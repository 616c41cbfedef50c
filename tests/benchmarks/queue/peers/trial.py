"""One drain by a peer, seen from inside. Runs in the peers' environment: no import of the project.

A script says `run(drain)`, and its `drain` makes the peer's schema, enqueues within `enqueuing()`,
starts the peer's worker with `Trial.job` as the job and waits for `settled`.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, LiteralString

import psycopg

PATIENCE_SECONDS = 55.0
"""A script gives up and says how far it came before its caller, after 60 s, ends it."""
GLANCE_SECONDS = 0.01


class NotDrained(Exception):
    """Jobs did not run, or did not run once, or their outcomes are not in the peer's table."""


@dataclass(slots=True, kw_only=True)
class Trial:
    """What is asked for, and the times that it took. Times are seconds of a monotonic clock."""

    connection: str
    """A libpq URI of an empty database."""
    items: int
    is_one_at_a_time: bool
    """False: nothing is set, and the peer's concurrency is its default."""
    ran: int = field(default=0, init=False)
    _enqueue_seconds: float = field(default=0.0, init=False)
    _first_began: float = field(default=0.0, init=False)
    _last_ended: float = field(default=0.0, init=False)
    _settled: float = field(default=0.0, init=False)

    def job(self) -> None:
        """What a job does: nothing, at a known time. The worker's start does not count."""
        began = time.monotonic()
        if not self.ran:
            self._first_began = began
        self._last_ended = time.monotonic()
        self.ran += 1

    @asynccontextmanager
    async def enqueuing(self) -> AsyncIterator[None]:
        """Around the enqueueing; then the tables get what autovacuum gives within a minute."""
        began = time.monotonic()
        yield
        self._enqueue_seconds = time.monotonic() - began
        async with await self._connect() as connection:
            await connection.execute("VACUUM (ANALYZE)")

    async def settled(self, count_completed: LiteralString) -> None:
        """Wait until every job ran; only then look into the peer's table for all their outcomes."""
        while self.ran < self.items:  # noqa: ASYNC110  # a peer may run jobs in another thread
            await asyncio.sleep(GLANCE_SECONDS)
        async with await self._connect() as connection:
            self._settled = time.monotonic()
            while await self._count(connection, count_completed) < self.items:
                await asyncio.sleep(GLANCE_SECONDS)
                self._settled = time.monotonic()  # a count shows what was there as it began

    async def seen_done(self, count_done: Callable[[], int]) -> None:
        """For a peer whose jobs run in processes of its own: wait until all are seen to be done.

        What is done by the first glance is not paid for, which is less than a hundredth.
        """
        while not count_done():  # noqa: ASYNC110  # what is counted is another process's
            await asyncio.sleep(GLANCE_SECONDS)
        self._first_began = time.monotonic()
        while self.ran < self.items:
            await asyncio.sleep(GLANCE_SECONDS)
            self.ran = count_done()
        self._last_ended = self._settled = time.monotonic()

    def report(self) -> str:
        """One line of JSON."""
        if self.ran != self.items:
            raise NotDrained(f"{self.items} items were enqueued, and jobs ran {self.ran} times")
        times = {
            "seconds": self._last_ended - self._first_began,
            "settled_seconds": self._settled - self._first_began,
            "enqueue_seconds": self._enqueue_seconds,
        }
        return json.dumps({"items": self.items, **times})

    async def _connect(self) -> psycopg.AsyncConnection:
        return await psycopg.AsyncConnection.connect(self.connection, autocommit=True)

    @staticmethod
    async def _count(connection: psycopg.AsyncConnection, statement: LiteralString) -> int:
        row = await (await connection.execute(statement)).fetchone()
        return int(row[0]) if row else 0


Drain = Callable[[Trial], Coroutine[Any, Any, None]]
Runner = Callable[[Coroutine[Any, Any, None]], None]


def run(drain: Drain, runner: Runner = asyncio.run) -> None:
    """The script: `<connection> <items> <1 or default>`; the runner makes the event loop.

    What goes wrong is one line on stderr and a non-zero exit.
    """
    connection, items, concurrency = sys.argv[1:]
    is_one = concurrency == "1"
    trial = Trial(connection=connection, items=int(items), is_one_at_a_time=is_one)
    try:
        runner(_within_patience(drain, trial))
        print(trial.report(), flush=True)
    except Exception as error:  # noqa: BLE001  # a peer may raise anything, and it ends in a line
        sys.exit(" ".join(f"{type(error).__name__}: {error}".split()))


async def _within_patience(drain: Drain, trial: Trial) -> None:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await drain(trial)
    except TimeoutError as error:
        told = f"{trial.ran} of {trial.items} jobs ran, and not all settled,"
        raise NotDrained(f"{told} within {PATIENCE_SECONDS:g} s") from error
