"""The runner as a child process: spawned, never forked, and ended with its whole session."""

import contextlib
import logging
import os
import select
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from typing_extensions import override

from adapters.runner_process.ear import DescriptorEar
from adapters.runner_process.wire import Ended, Ready, Reported, Stop, Unfit
from adapters.runner_process.word_stream import WordStream, say
from application.ports.runner import Assignment, Report, Runner, RunnerUnfit
from domain.work.attempt import AttemptTag
from domain.work.progress import NO_PROGRESS, Progress

logger = logging.getLogger(__name__)

EXIT_LIMIT_SECONDS = 10.0
SEND_LIMIT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class _Child:
    """One runner process, our ends of its two sockets, and the handle that tells its end."""

    process: subprocess.Popen[bytes]
    pidfd: int
    words: socket.socket
    """Assignments out; reports, progress and the greeting in."""
    orders: socket.socket
    """Stops, for a thread of the runner's that reads nothing else."""
    heard: WordStream

    def descriptors(self) -> tuple[int, int]:
        return self.words.fileno(), self.pidfd

    def close(self) -> None:
        os.close(self.pidfd)
        self.words.close()
        self.orders.close()


@dataclass(kw_only=True)
class RunnerProcess(Runner):
    """Reports go to `on_end` and `on_death`, which are called by whoever listens or kills.

    `command` is run with three arguments more: the numbers of the two sockets that it inherits
    (its words, its orders), and our pid.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    ear: DescriptorEar
    on_end: Callable[[AttemptTag, Report, Progress], None]
    on_death: Callable[[AttemptTag | None], None]
    start_limit: float
    _child: _Child | None = field(default=None, init=False)
    _kinds: tuple[str, ...] = field(default=(), init=False)
    _tag: AttemptTag | None = field(default=None, init=False)
    _progress: Progress = field(default=NO_PROGRESS, init=False)

    @override
    def ensure_ready(self) -> Sequence[str]:
        self.ear.listen(0)  # it may have ended while nobody listened
        if self._child is None:
            self._start()
        return self._kinds

    @override
    def begin(self, assignment: Assignment) -> None:
        self._tag, self._progress = assignment.tag, NO_PROGRESS
        child = self._child
        if child is None:
            self.on_death(assignment.tag)
        elif not _is_told(child.words, assignment):
            self.kill()  # it may have heard half of it

    @override
    def progress(self) -> Progress:
        return self._progress

    @override
    def stop(self) -> None:
        if self._tag is not None and self._child is not None:
            _is_told(self._child.orders, Stop(self._tag))

    @override
    def kill(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        for descriptor in child.descriptors():
            self.ear.remove(descriptor)
        try:
            _end_session(child.process)
            logger.info("the runner ended with status %s", child.process.returncode)
        finally:
            child.close()
            self.on_death(self._tag)  # or its item would be kept for ever

    def _start(self) -> None:
        child = self._spawn()
        try:
            self._kinds = _greeting(child, self.start_limit)
        except RunnerUnfit:
            _end_session(child.process)
            child.close()
            raise
        self._child = child
        for descriptor in child.descriptors():
            self.ear.add(descriptor, self._hear)

    def _spawn(self) -> _Child:
        words, its_words = socket.socketpair()
        orders, its_orders = socket.socketpair()
        with its_words, its_orders:
            passed = [its_words.fileno(), its_orders.fileno()]
            try:
                process = subprocess.Popen(
                    [*self.command, *map(str, passed), str(os.getpid())],
                    stdin=subprocess.DEVNULL,
                    env=dict(self.environment),
                    pass_fds=passed,
                    start_new_session=True,  # a terminal's Ctrl-C is the keeper's to handle
                )
            except OSError as error:  # as many processes as there may be, or no memory for one
                words.close()
                orders.close()
                reason = error.strerror or error
                raise RunnerUnfit(f"the runner cannot be started: {reason}") from error
        for end in (words, orders):
            end.setsockopt(
                socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", SEND_LIMIT_SECONDS, 0)
            )
        return _Child(process, os.pidfd_open(process.pid), words, orders, WordStream(words))

    def _hear(self) -> None:
        """Take what it said; when it has ended and said all, so has its run."""
        child = self._child
        if child is None:
            return
        has_ended = _has_ended(child)
        try:
            for words in child.heard.arrived():
                self._take(words)
        except (EOFError, OSError):
            has_ended = True
        if has_ended:
            self.kill()

    def _take(self, words: object) -> None:
        match words:
            case Reported(tag, progress) if tag == self._tag:
                self._progress = progress
            case Ended(tag, report, progress) if tag == self._tag:
                self._progress = progress
                self.on_end(tag, report, progress)
            case _:
                logger.debug("the runner spoke of an earlier attempt")


def _is_told(end: socket.socket, words: object) -> bool:
    """Whether the runner was there to be told."""
    try:
        say(end, words)
    except OSError:
        return False
    return True


def _greeting(child: _Child, limit: float) -> tuple[str, ...]:
    """The kinds that it runs; RunnerUnfit where it does not say so within `limit` seconds."""
    words: object = None
    until = time.monotonic() + limit
    while words is None and (left := until - time.monotonic()) > 0:
        ready, _, _ = select.select(child.descriptors(), [], [], left)
        try:
            words = next(child.heard.arrived(), None)
            is_gone = words is None and child.pidfd in ready
        except (EOFError, OSError):
            is_gone = True
        if is_gone:
            words = Unfit("it ended before it was ready; its log says why")
    match words:
        case Ready(kinds):
            return kinds
        case Unfit(reason):
            raise RunnerUnfit(f"the runner cannot work: {reason}")
        case _:
            raise RunnerUnfit(f"the runner was not ready within {limit:g} s")


def _has_ended(child: _Child) -> bool:
    return bool(select.select([child.pidfd], [], [], 0)[0])


def _end_session(process: subprocess.Popen[bytes]) -> None:
    """Kill the runner and all that it started, and reap it. Safe to call twice.

    Nobody reaps it elsewhere: until then its number cannot be somebody else's. One that a dead disk
    holds ends when the disk lets go of it; the Worker goes on without it.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    try:
        process.wait(EXIT_LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        logger.error("the runner %d was killed and does not end", process.pid)  # noqa: TRY400
