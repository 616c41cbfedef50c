"""The keeper's side loops: threads that do one thing again and again and cannot die in silence."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from application.execution.inbox import Inbox, ShutDownNow
from domain.errors import DatabaseUnavailable
from entrypoints.worker.pulse import Pulse

logger = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Loop:
    """Calls `step` at once and then every `seconds` until told to stop, and `at_end` then.

    A step that raises is logged and the loop goes on; if the loop itself ends, the process is told
    to end too. An outage of the database is said when it begins and when it is over.
    """

    name: str
    step: Callable[[], object]
    seconds: float
    inbox: Inbox
    at_end: Callable[[], object] | None = None
    pulse: Pulse = field(default_factory=Pulse)
    """Beats before each step: a step that does not end is what a stuck loop is."""
    _stop: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _database_was_away: bool = field(default=False, init=False)

    def start(self) -> None:
        self._thread = threading.Thread(target=self._guarded, name=self.name, daemon=True)
        self._thread.start()

    def stop(self, limit: float) -> None:
        """Ask it to end, and wait at most `limit` seconds."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(limit)

    def _guarded(self) -> None:
        try:
            while not self._stop.is_set():
                self.pulse.beat()
                self._once()
                self._stop.wait(self.seconds)
            self._end()
        finally:
            if not self._stop.is_set():
                logger.critical("the loop %s died", self.name)
                self.inbox.put(ShutDownNow(broken=self.name))

    def _once(self) -> None:
        try:
            self.step()
        except DatabaseUnavailable as error:
            if not self._database_was_away:
                logger.warning("%s: %s; trying again", self.name, error, exc_info=error)
            self._database_was_away = True
            return
        except Exception:
            logger.exception("%s failed; going on", self.name)
            return
        was_away, self._database_was_away = self._database_was_away, False
        if was_away:
            logger.info("%s: the database is back", self.name)

    def _end(self) -> None:
        if self.at_end is None:
            return
        try:
            self.at_end()
        except Exception:
            logger.exception("%s failed at its end", self.name)
