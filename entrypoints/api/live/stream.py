"""One client's live stream."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from entrypoints.api.live.frames import KEEP_ALIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class Watcher:
    """Who watches, until when the token allows it, and how to end the connection by force."""

    user_id: UUID
    token_expires_at: datetime
    abort: Callable[[], None]


class Stream:
    """An asynchronous iterator of bytes; it ends when it is told to or the token expires."""

    def __init__(
        self,
        watcher: Watcher,
        *,
        first: Iterable[bytes],
        seconds_left: float,
        keep_alive_seconds: float,
        backlog_looks: int,
        on_close: Callable[["Stream"], None],
    ) -> None:
        self.watcher = watcher
        self._sending = deque(first)
        self._waiting: deque[tuple[bytes, ...]] = deque()
        self._ends_at = asyncio.get_running_loop().time() + seconds_left
        self._keep_alive_seconds = keep_alive_seconds
        self._backlog_looks = backlog_looks
        self._on_close = on_close
        self._is_ended = False
        self._woken = asyncio.Event()

    def offer(self, chunks: tuple[bytes, ...]) -> bool:
        """Queue what a look brought; False when the client is too far behind."""
        if len(self._waiting) >= self._backlog_looks:
            return False
        self._waiting.append(chunks)
        self._woken.set()
        return True

    def end(self) -> None:
        """End at the next opportunity; nothing more is sent."""
        self._is_ended = True
        self._woken.set()

    def __aiter__(self) -> "Stream":
        return self

    async def __anext__(self) -> bytes:
        while not self._is_over():
            if self._waiting and not self._sending:
                self._sending.extend(self._waiting.popleft())
            if self._sending:
                return self._sending.popleft()
            if not await self._is_woken() and not self._is_over():
                return KEEP_ALIVE
        raise StopAsyncIteration

    async def close(self) -> None:
        """Called by falcon whichever way the response ended."""
        self._on_close(self)

    def _is_over(self) -> bool:
        return self._is_ended or self._seconds_left() <= 0

    def _seconds_left(self) -> float:
        return self._ends_at - asyncio.get_running_loop().time()

    async def _is_woken(self) -> bool:
        self._woken.clear()
        limit = min(self._keep_alive_seconds, self._seconds_left())
        try:
            async with asyncio.timeout(limit):
                return await self._woken.wait()
        except TimeoutError:
            return False
