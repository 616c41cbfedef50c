"""The runner as a child process: spawned, never forked, and ended with its whole session."""

import contextlib
import logging
import os
import select
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

from typing_extensions import override

from adapters.runner_process.wire import Ended, Ready, Reported, Stop, Unfit
from application.ports.runner import Assignment, Report, Runner, RunnerUnfit
from domain.work.attempt import AttemptTag
from domain.work.progress import NO_PROGRESS, Progress

logger = logging.getLogger(__name__)

EXIT_LIMIT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class _Child:
    """One runner process and our end of its socket."""

    process: subprocess.Popen[bytes]
    connection: Connection
    reader: threading.Thread


@dataclass(kw_only=True)
class RunnerProcess(Runner):
    """Reports go to `on_end` and `on_death`, which are called from a thread of its own.

    `command` is run with two arguments more: the number of the socket it inherits, and our pid.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    on_end: Callable[[AttemptTag, Report, Progress], None]
    on_death: Callable[[AttemptTag | None], None]
    start_limit: float
    _child: _Child | None = field(default=None, init=False)
    _kinds: tuple[str, ...] = field(default=(), init=False)
    _tag: AttemptTag | None = field(default=None, init=False)
    _progress: Progress = field(default=NO_PROGRESS, init=False)

    @override
    def ensure_ready(self) -> Sequence[str]:
        if self._child is not None and self._child.reader.is_alive():
            return self._kinds
        self.kill()
        self._start()
        return self._kinds

    @override
    def begin(self, assignment: Assignment) -> None:
        self._tag, self._progress = assignment.tag, NO_PROGRESS
        if not self._send(assignment):
            self.on_death(assignment.tag)

    @override
    def progress(self) -> Progress:
        return self._progress

    @override
    def stop(self) -> None:
        if self._tag is not None:
            self._send(Stop(self._tag))

    @override
    def kill(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        _end_session(child.process)
        child.reader.join(EXIT_LIMIT_SECONDS)
        child.connection.close()

    def _send(self, words: object) -> bool:
        """Whether the runner was there to be told."""
        child = self._child
        if child is None:
            return False
        try:
            child.connection.send(words)
        except OSError:
            return False
        return True

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [*self.command, str(theirs.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                env=dict(self.environment),
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # a terminal's Ctrl-C is the keeper's to handle
            )
        connection = Connection(ours.detach())
        try:
            self._kinds = self._greeting(connection)
        except RunnerUnfit:
            _end_session(process)
            connection.close()
            raise
        reader = threading.Thread(
            target=self._listen, args=(process, connection), name="runner", daemon=True
        )
        self._child = _Child(process, connection, reader)
        reader.start()

    def _greeting(self, connection: Connection) -> tuple[str, ...]:
        try:
            words = connection.recv() if connection.poll(self.start_limit) else None
        except (EOFError, OSError):
            words = Unfit("it ended before it was ready; its log says why")
        match words:
            case Ready(kinds):
                return kinds
            case Unfit(reason):
                raise RunnerUnfit(f"the runner cannot work: {reason}")
            case _:
                raise RunnerUnfit(f"the runner was not ready within {self.start_limit:g} s")

    def _listen(self, process: subprocess.Popen[bytes], connection: Connection) -> None:
        """Take the runner's words until it is gone."""
        pidfd = os.pidfd_open(process.pid)
        words = connection.fileno()
        # Made once: one for each word would be made while the main thread waits for its turn.
        either = select.poll()
        for descriptor in (words, pidfd):
            either.register(descriptor, select.POLLIN)
        try:
            while words in dict(either.poll()) and self._hear(connection):
                pass
        finally:
            os.close(pidfd)
            try:
                _end_session(process)
                logger.info("the runner ended with status %s", process.returncode)
            finally:
                self.on_death(self._tag)  # or its item would be kept for ever

    def _hear(self, connection: Connection) -> bool:
        """Take one word; False when there will be none any more."""
        try:
            words = connection.recv()
        except (EOFError, OSError):
            return False
        match words:
            case Reported(tag, progress) if tag == self._tag:
                self._progress = progress
            case Ended(tag, report, progress) if tag == self._tag:
                self._progress = progress
                self.on_end(tag, report, progress)
            case _:
                logger.debug("the runner spoke of an earlier attempt")
        return True


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
