"""The runner's own ends of the sockets: it runs handlers in its main thread, one at a time."""

import os
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from typing_extensions import override

from adapters.runner_process.bound_child import end_with
from adapters.runner_process.wire import Ended, Ready, Reported, Stop, Unfit
from adapters.runner_process.word_stream import WordStream, say
from application.ports.runner import Assignment, Report
from application.ports.work_context import (
    CancellationToken,
    ProgressSink,
    Result,
    WorkCancelled,
    WorkContext,
)
from domain.work.attempt import AttemptTag
from domain.work.progress import NO_PROGRESS, Progress, progress_of

SEND_EVERY_SECONDS = 0.25
# Out of memory, the kernel should take the runner and leave the keeper.
OOM_SCORE = 500


class StopToken(CancellationToken):
    def __init__(self) -> None:
        self._event = threading.Event()

    def request(self) -> None:
        self._event.set()

    @property
    @override
    def requested(self) -> bool:
        return self._event.is_set()

    @override
    def raise_if_requested(self, partial: Result | None = None) -> None:
        if self._event.is_set():
            raise WorkCancelled(partial)


class NewestProgress(ProgressSink):
    """Keeps the newest snapshot; sending is somebody else's."""

    def __init__(self) -> None:
        self.snapshot = NO_PROGRESS

    @override
    def report(self, done: int, total: int | None = None, note: str | None = None) -> None:
        self.snapshot = progress_of(done, total, note)


@dataclass(slots=True)
class _Current:
    tag: AttemptTag
    token: StopToken = field(default_factory=StopToken)
    progress: NewestProgress = field(default_factory=NewestProgress)
    sent: Progress = NO_PROGRESS


class RunnerEnd:
    """Serves the keeper until a socket ends; then the whole process goes.

    Assignments are read by the thread that runs them. Stops have a socket of their own, since they
    come while it runs.
    """

    def __init__(self, words: socket.socket, orders: socket.socket) -> None:
        self._words, self._orders = words, orders
        self._sending = threading.Lock()
        self._current: _Current | None = None
        self._to_stop: AttemptTag | None = None
        """Told to stop; the run may not have begun yet."""

    def refuse(self, reason: str) -> None:
        self._send(Unfit(reason))

    def serve(self, kinds: Sequence[str], run: Callable[[Assignment, WorkContext], Report]) -> None:
        """Run what comes, for ever. The process ends when its keeper does."""
        for loop in (self._obey, self._send_progress):
            threading.Thread(target=loop, daemon=True, name=loop.__name__).start()
        self._send(Ready(tuple(kinds)))
        assignments = WordStream(self._words)
        while True:
            assignment = _next_or_exit(assignments)
            if not isinstance(assignment, Assignment):
                raise TypeError(f"not a word of the keeper's: {type(assignment).__name__}")
            current = _Current(assignment.tag)
            self._current = current
            if self._to_stop == current.tag:
                current.token.request()
            context = WorkContext(
                tag=current.tag, progress=current.progress, cancellation=current.token
            )
            report = run(assignment, context)
            self._current = None
            self._send(Ended(current.tag, report, current.progress.snapshot))

    def _obey(self) -> None:
        orders = WordStream(self._orders)
        while True:
            order = _next_or_exit(orders)
            if not isinstance(order, Stop):
                raise TypeError(f"not an order of the keeper's: {type(order).__name__}")
            self._stop(order.tag)

    def _stop(self, tag: AttemptTag) -> None:
        # Remembered before the run is looked at: serve() does it the other way round.
        self._to_stop = tag
        current = self._current
        if current is not None and current.tag == tag:
            current.token.request()

    def _send_progress(self) -> None:
        pause = threading.Event()
        while not pause.wait(SEND_EVERY_SECONDS):
            current = self._current
            if current is None or current.progress.snapshot == current.sent:
                continue
            current.sent = current.progress.snapshot
            self._send(Reported(current.tag, current.sent))

    def _send(self, words: object) -> None:
        with self._sending:
            try:
                say(self._words, words)
            except OSError:
                os._exit(0)


def _next_or_exit(stream: WordStream) -> object:
    try:
        return stream.next()
    except (EOFError, OSError):
        os._exit(0)  # the keeper is gone, and so is our claim


def connect_to_keeper(arguments: Sequence[str]) -> RunnerEnd:
    """Our ends of the sockets that were inherited; from here on we die with our keeper."""
    words, orders, keeper = (int(argument) for argument in arguments[:3])
    end_with(keeper, OOM_SCORE)
    return RunnerEnd(socket.socket(fileno=words), socket.socket(fileno=orders))
