"""What the keeper's main loop waits for: signals, the runner's reports, and news of the lease."""

import queue
from dataclasses import dataclass
from typing import TypeAlias

from application.ports.runner import Report
from domain.work.attempt import AttemptTag
from domain.work.progress import Progress


@dataclass(frozen=True, slots=True)
class ShutDown:
    """Finish decently: nothing new, and the current item gets the grace time."""


@dataclass(frozen=True, slots=True)
class ShutDownNow:
    """Finish at once; `broken` names the loop that died, where that is the reason."""

    broken: str | None = None


@dataclass(frozen=True, slots=True)
class CancelSeen:
    """A heartbeat read a cancel request."""

    tag: AttemptTag


@dataclass(frozen=True, slots=True)
class FencedOff:
    """A heartbeat was refused: the claim is no longer ours, or the item is gone."""

    tag: AttemptTag


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The handler ended and reported."""

    tag: AttemptTag
    report: Report
    progress: Progress


@dataclass(frozen=True, slots=True)
class RunDied:
    """The runner's process ended under the handler."""

    tag: AttemptTag | None


Signal: TypeAlias = ShutDown | ShutDownNow | CancelSeen | FencedOff | RunEnded | RunDied


class Inbox:
    """Signals in the order of their arrival. `put` may be called from anywhere, also from a signal
    handler; `take` by the thread that reads, of what it has heard itself.

    `stopping` is the most urgent shut-down that has arrived, taken out of the queue or not.
    """

    def __init__(self) -> None:
        self._signals: queue.SimpleQueue[Signal] = queue.SimpleQueue()
        self.stopping: ShutDown | ShutDownNow | None = None

    def put(self, signal: Signal) -> None:
        self.take(signal)

    def take(self, signal: Signal) -> None:
        if isinstance(signal, ShutDownNow) or (
            isinstance(signal, ShutDown) and self.stopping is None
        ):
            self.stopping = signal
        self._signals.put(signal)

    def next(self, timeout: float) -> Signal | None:
        """The next signal; None when none came within `timeout` seconds."""
        try:
            return self._signals.get(timeout=max(timeout, 0))
        except queue.Empty:
            return None
