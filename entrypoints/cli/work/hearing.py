"""Whether the API still hears from its database: then it tells of the leases at every look."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

TELLING = "leases"
PATIENCE_SECONDS = 10.0
UNKNOWN_SECONDS = 30.0
"""Patience as long as it is not known how often the API looks."""
MISSED = 3
MUTE = "the API does not hear from its database, and what is shown may be old"


@dataclass(slots=True, kw_only=True)
class Hearing:
    """Is told of all that a stream brings, keep-alives too."""

    now: Callable[[], float] = time.monotonic
    _since: float = 0.0
    _looked_at: float | None = None
    _every: float = math.inf
    _is_mute: bool = False

    def begin(self) -> None:
        """A stream opens, and waits for its first look."""
        self._since, self._looked_at = self.now(), None

    def falls_silent(self, event_name: str | None) -> bool:
        """True once a silence, when it has lasted for too long. None: a keep-alive came."""
        now = self.now()
        if event_name == TELLING:
            if self._looked_at is not None:
                self._every = min(self._every, now - self._looked_at)
            self._since = self._looked_at = now
            self._is_mute = False
            return False
        if self._is_mute or now - self._since <= self._patience():
            return False
        self._is_mute = True
        return True

    def _patience(self) -> float:
        if self._every == math.inf:
            return UNKNOWN_SECONDS
        return max(PATIENCE_SECONDS, MISSED * self._every)
