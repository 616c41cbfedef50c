"""The keeper's main loop: claim one item, see it to its end, look for the next."""

import logging
import os
import random
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType

from application.execution.claim_work import Claimed, ClaimWork
from application.execution.inbox import Inbox, ShutDown, ShutDownNow
from application.ports.runner import Runner, RunnerUnfit
from domain.errors import DatabaseUnavailable
from entrypoints.worker.loops import Loop

logger = logging.getLogger(__name__)

EXIT_CLEAN = 0
EXIT_BROKEN = 1
MOST_UNFIT_IN_A_ROW = 5
LOOP_STOP_LIMIT_SECONDS = 0.5
SHORTEST_POLL = 0.9
"""Of the setting: Workers that were started at once do not stay in step."""


def share_of_poll() -> float:
    """How much of the longest wait between two polls the next one is."""
    return random.uniform(SHORTEST_POLL, 1)  # noqa: S311


@dataclass(kw_only=True)
class WorkerLoop:
    claim: ClaimWork
    execute: Callable[[Claimed, Sequence[str]], Claimed | None]
    """The executor; it brings the next item where it could have it along with an outcome."""
    runner: Runner
    inbox: Inbox
    side_loops: tuple[Loop, ...]
    poll_seconds: float
    share_of_poll: Callable[[], float] = share_of_poll
    grace_seconds: float
    exit_slack_seconds: float
    """What an outcome and the end of the process may take beyond the grace time."""
    _unfit: int = 0
    _database_was_away: bool = False
    _last_fault: str = ""

    def run(self) -> int:
        """Work until told to stop; the process's exit status."""
        self._listen_to_signals()
        try:
            self.runner.ensure_ready()
            for loop in self.side_loops:
                loop.start()
            logger.info("ready to work")
            while self.inbox.stopping is None:
                if not self._work():
                    self.inbox.next(self.poll_seconds * self.share_of_poll())
        finally:
            for loop in self.side_loops:
                loop.stop(LOOP_STOP_LIMIT_SECONDS)
            self.runner.kill()
        return self._status()

    def _work(self) -> bool:
        """Run items as long as they come; False where none does, or none can be run just now."""
        try:
            kinds = self.runner.ensure_ready()
            self._unfit = 0
        except RunnerUnfit as error:
            self._complain(error)
            return False
        # It may have been told to stop while the runner started.
        claimed = self._claim(kinds) if self.inbox.stopping is None else None
        if claimed is None:
            return False
        while claimed is not None:
            claimed = self.execute(claimed, kinds)
        return True

    def _claim(self, kinds: Sequence[str]) -> Claimed | None:
        try:
            claimed = self.claim(kinds)
        except DatabaseUnavailable as error:
            if not self._database_was_away:
                logger.warning(
                    "cannot claim: %s; trying again at every poll", error, exc_info=error
                )
            self._database_was_away = True
            return None
        except Exception as error:
            # An impossible row must not take Workers down; claimed or not, its lease settles it.
            if str(error) != self._last_fault:
                logger.exception("cannot claim; trying again at every poll")
            self._last_fault = str(error)
            return None
        was_away, self._database_was_away = self._database_was_away, False
        if was_away:
            logger.info("the database is back")
        return claimed

    def _complain(self, error: RunnerUnfit) -> None:
        self._unfit += 1
        logger.error("%s (%d in a row)", error, self._unfit)
        if self._unfit >= MOST_UNFIT_IN_A_ROW:
            self.inbox.put(ShutDownNow(broken="runner"))

    def _listen_to_signals(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        is_first = self.inbox.stopping is None
        self.inbox.put(ShutDown() if is_first else ShutDownNow())
        self._leave_after((self.grace_seconds if is_first else 0) + self.exit_slack_seconds)

    def _leave_after(self, seconds: float) -> None:
        """A statement that a frozen database never answers must not hold the exit up."""
        timer = threading.Timer(seconds, self._leave)
        timer.daemon = True
        timer.start()

    def _leave(self) -> None:
        logger.error("something holds the exit up: leaving; the lease will run out")
        try:
            self.runner.kill()
        finally:
            os._exit(self._status())

    def _status(self) -> int:
        stopping = self.inbox.stopping
        broken = isinstance(stopping, ShutDownNow) and stopping.broken is not None
        return EXIT_BROKEN if broken else EXIT_CLEAN
