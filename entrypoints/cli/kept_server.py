"""Starts the embedded server again when it dies, with back-off, and says so."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from domain.errors import DomainError
from entrypoints.cli.supervisor import BackOff

logger = logging.getLogger(__name__)


class Server(Protocol):
    """What is asked of the embedded server."""

    def is_running(self) -> bool: ...

    def start(self, is_wanted: Callable[[], bool]) -> None: ...


@dataclass(kw_only=True)
class KeptServer:
    server: Server
    is_wanted: Callable[[], bool]
    back_off: BackOff = field(default_factory=BackOff)
    _is_down: bool = False

    def look_after(self) -> None:
        """One look: notice a death, or try a start whose time has come."""
        if self.server.is_running():
            return
        if not self._is_down:
            self._is_down = True
            logger.warning("PostgreSQL ended; starting it again in %.0f s", self.back_off.died())
        if self.back_off.is_over():
            self._start()

    def _start(self) -> None:
        self.back_off.started()
        try:
            self.server.start(self.is_wanted)
        except DomainError as error:
            pause = self.back_off.died()
            logger.warning("%s; trying again in %.0f s", error, pause)
        else:
            self._is_down = False
            logger.info("PostgreSQL is back")
