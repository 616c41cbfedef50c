"""Decoders in processes of their own: spawned when they are needed, never forked."""

import logging
import os
import socket
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import LifoQueue
from typing import BinaryIO, TypeVar

from typing_extensions import override

from adapters.runner_process.decoder_wire import (
    Answer,
    Develop,
    Raised,
    Read,
    Request,
    answered,
    ask,
)
from application.ports.decoders import DecoderDied, Decoders, DecodersApart, DecodersUnfit
from application.ports.media_developer import MediaDeveloper
from application.ports.metadata_reader import MetadataReader
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Rendition
from domain.library.raw_metadata import RawMetadata

logger = logging.getLogger(__name__)

START_LIMIT_SECONDS = 60.0
EXIT_LIMIT_SECONDS = 10.0
Wanted = TypeVar("Wanted", RawMetadata, Rendition)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderProcesses(DecodersApart):
    """At most `most` processes; a thread that finds all of them busy waits for one.

    `command` is run with two arguments more: the number of the socket it inherits, and our pid.
    """

    command: Sequence[str]
    most: int
    seconds_at_most: float
    """For one request; whoever takes longer is killed."""

    @override
    @contextmanager
    def opened(self) -> Iterator[Decoders]:
        # The kernel kills a child when the thread that started it ends: this one lasts.
        with ThreadPoolExecutor(1, "decoder-starter") as starter:
            pool = _Pool(self, starter)
            try:
                yield Decoders(metadata=_MetadataApart(pool), developer=_DeveloperApart(pool))
            finally:
                pool.end()


@dataclass(frozen=True, slots=True)
class _Child:
    """One process and our end of its socket."""

    process: subprocess.Popen[bytes]
    end: socket.socket

    def is_there(self) -> bool:
        """Whether it waits for work; out of memory, the kernel takes an idle one too."""
        return self.process.poll() is None

    def kill(self) -> None:
        """Kill and reap it. Nobody reaps it elsewhere, so its number is nobody else's."""
        self.end.close()
        self.process.kill()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(EXIT_LIMIT_SECONDS)


class _Pool:
    """The places that children can have; None in one where none was started."""

    def __init__(self, settings: DecoderProcesses, starter: ThreadPoolExecutor) -> None:
        self._settings = settings
        self._starter = starter
        # Last in, first out: no more are started than are needed at the same time.
        self._places: LifoQueue[_Child | None] = LifoQueue()
        for _ in range(settings.most):
            self._places.put(None)

    def answer(self, request: Request, stream: BinaryIO) -> Answer:
        """What a process says to the request; raises DecoderDied, and what the decoder raised."""
        child = self._places.get()
        try:
            child = self._sound(child)
            words = self._exchange(child, request, stream)
        except BaseException:
            if child is not None:
                child.kill()
                logger.info("a decoder's process ended with status %s", child.process.returncode)
            self._places.put(None)
            raise
        self._places.put(child)
        if isinstance(words, Raised):
            raise words.error
        return words

    def end(self) -> None:
        """Kill whoever waits for work; called when nobody else is at it."""
        while not self._places.empty():
            child = self._places.get()
            if child is not None:
                child.kill()

    def _sound(self, child: _Child | None) -> _Child:
        if child is not None and child.is_there():
            return child
        if child is not None:
            child.kill()
        return self._starter.submit(self._start).result()

    def _exchange(self, child: _Child, request: Request, stream: BinaryIO) -> Answer:
        try:
            ask(child.end, request, stream.fileno())
            return answered(child.end, self._settings.seconds_at_most)
        except TimeoutError as error:
            raise DecoderDied("decoding it did not end, and was ended") from error
        except (EOFError, ConnectionError) as error:
            raise DecoderDied("decoding it ended the decoder") from error

    def _start(self) -> _Child:
        child = self._spawn()
        try:
            answered(child.end, START_LIMIT_SECONDS)
        except (EOFError, OSError) as error:
            child.kill()
            raise DecodersUnfit("no process that decodes can be started; the log says why") from (
                error
            )
        return child

    def _spawn(self) -> _Child:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                process = subprocess.Popen(
                    [*self._settings.command, str(theirs.fileno()), str(os.getpid())],
                    stdin=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                )
            except OSError as error:  # as many processes as there may be, or no memory for one
                ours.close()
                reason = error.strerror or error
                raise DecodersUnfit(f"no process that decodes can be started: {reason}") from error
        return _Child(process, ours)


@dataclass(frozen=True, slots=True)
class _MetadataApart(MetadataReader):
    pool: _Pool

    @override
    def read(self, stream: BinaryIO, media_format: MediaFormat) -> RawMetadata:
        return _as(RawMetadata, self.pool.answer(Read(media_format), stream))


@dataclass(frozen=True, slots=True)
class _DeveloperApart(MediaDeveloper):
    pool: _Pool

    @override
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        return _as(Rendition, self.pool.answer(Develop(media_format, orientation), stream))


def _as(wanted: type[Wanted], words: Answer) -> Wanted:
    if not isinstance(words, wanted):
        raise TypeError(f"not a word of the decoder's: {type(words).__name__}")
    return words
