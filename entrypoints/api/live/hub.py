"""Looks at the queue once per interval, for all open streams of this process."""

import asyncio
import logging
from uuid import UUID

from application.ports.clock import Clock
from application.ports.work_item_changes import ChangeBatch
from application.use_cases.recheck_watchers import RecheckWatchers
from application.use_cases.watch_work import ChangeFeed
from domain.errors import DatabaseUnavailable
from domain.work.cursor import parse_cursor
from entrypoints.api.live.frames import Frames, chunked, opening, reset
from entrypoints.api.live.stream import Stream, Watcher
from entrypoints.api.offload import Offload
from entrypoints.api.overload import Overloaded

FIRST_LOOK_SECONDS = 5.0
# A client that reads ends by itself within this time once it is told to.
LAST_SEND_SECONDS = 0.5

log = logging.getLogger(__name__)


class TooManyStreams(Overloaded):
    """The process has as many open streams as it may have."""

    def __init__(self) -> None:
        super().__init__("too many live streams are open; try again later")


class Stopping(Overloaded):
    """The process ends; another one answers soon."""

    def __init__(self) -> None:
        super().__init__("the API is stopping; try again later")


class Hub:
    """All but the query runs on the event loop, so that nothing falls between a look and a
    stream that opens meanwhile.
    """

    def __init__(
        self,
        *,
        feed: ChangeFeed,
        recheck: RecheckWatchers,
        offload: Offload,
        clock: Clock,
        interval_seconds: float,
        keep_alive_seconds: float,
        backlog_looks: int,
        remembered_items: int,
        most_streams: int,
    ) -> None:
        self._feed = feed
        self._recheck = recheck
        self._offload = offload
        self._clock = clock
        self._interval_seconds = interval_seconds
        self._keep_alive_seconds = keep_alive_seconds
        self._backlog_looks = backlog_looks
        self._most_streams = most_streams
        self._frames = Frames(remembered_items)
        self._streams: set[Stream] = set()
        self._polling: asyncio.Task[None] | None = None
        self._looked: asyncio.Event | None = None
        self._is_stopping = False

    def start(self) -> None:
        """Begin to look; on the loop that the streams will run on."""
        self._looked = asyncio.Event()
        self._polling = asyncio.get_running_loop().create_task(self._poll())

    def begin_stop(self) -> None:
        """End every stream now; those whose client does not read lose their connection."""
        self._is_stopping = True
        for stream in self._streams:
            stream.end()
        asyncio.get_running_loop().call_later(LAST_SEND_SECONDS, self._abort_all)

    async def stop(self) -> None:
        """Look no more."""
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.wait({self._polling})

    def open_streams(self) -> int:
        """How many clients watch."""
        return len(self._streams)

    async def open(self, watcher: Watcher, last_event_id: str | None) -> Stream:
        """A stream from the newest change on, or from where the client stood.

        TooManyStreams; Stopping; DatabaseUnavailable when nothing could be read since the start.
        """
        await self._first_look()
        if self._is_stopping:
            raise Stopping
        if len(self._streams) >= self._most_streams:
            raise TooManyStreams
        stream = Stream(
            watcher,
            first=self._beginning(last_event_id),
            seconds_left=(watcher.token_expires_at - self._clock.now()).total_seconds(),
            keep_alive_seconds=self._keep_alive_seconds,
            backlog_looks=self._backlog_looks,
            on_close=self._streams.discard,
        )
        self._streams.add(stream)
        return stream

    async def _first_look(self) -> None:
        if self._feed.cursor is not None:
            return
        if self._looked is None:
            raise DatabaseUnavailable("the live view has not started")
        try:
            async with asyncio.timeout(FIRST_LOOK_SECONDS):
                await self._looked.wait()
        except TimeoutError as error:
            raise DatabaseUnavailable("the queue could not be read yet") from error

    def _beginning(self, last_event_id: str | None) -> list[bytes]:
        now = self._feed.cursor
        if not last_event_id or now is None:
            return [opening(now)]
        cursor = parse_cursor(last_event_id)
        missed = None if cursor is None else self._feed.resume(cursor)
        if missed is None:
            return [opening(None), reset(now)]
        return [opening(None), *chunked(self._frames.of_events(missed))]

    async def _poll(self) -> None:
        was_away = False
        while True:
            try:
                await self._look()
                was_away = False
            except DatabaseUnavailable as error:
                if not was_away:
                    log.warning("the live view can't read the queue: %s", error, exc_info=error)
                was_away = True
            except Exception:
                log.exception("a look at the queue failed; the next one follows")
            await asyncio.sleep(self._interval_seconds)

    async def _look(self) -> None:
        owners = frozenset(stream.watcher.user_id for stream in self._streams)
        batch, welcome = await self._offload(self._ask, owners)
        look = self._feed.take(batch)
        self._end_unwelcome(owners - welcome)
        cursor = self._feed.cursor or look.server_time
        if self._streams:
            self._tell(self._frames.of_look(look, cursor))
        if self._looked is not None:
            self._looked.set()

    def _ask(self, owners: frozenset[UUID]) -> tuple[ChangeBatch, frozenset[UUID]]:
        return self._feed.query(), self._recheck(owners)

    def _end_unwelcome(self, unwelcome: frozenset[UUID]) -> None:
        now = self._clock.now()
        for stream in self._streams:
            watcher = stream.watcher
            if watcher.user_id in unwelcome or watcher.token_expires_at <= now:
                stream.end()

    def _tell(self, chunks: tuple[bytes, ...]) -> None:
        for stream in list(self._streams):
            if not stream.offer(chunks):
                self._drop(stream)

    def _abort_all(self) -> None:
        for stream in list(self._streams):
            self._drop(stream)

    def _drop(self, stream: Stream) -> None:
        self._streams.discard(stream)
        stream.end()
        stream.watcher.abort()
