"""Doubles around the executor: a stopwatch that the inbox moves, and a scripted runner."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from typing_extensions import override

from application.execution.inbox import Inbox, Signal
from application.ports.runner import Assignment, Runner
from application.ports.stopwatch import Stopwatch
from domain.work.progress import NO_PROGRESS, Progress


@dataclass
class HandMovedStopwatch(Stopwatch):
    seconds: float = 1_000.0

    @override
    def elapsed(self) -> float:
        return self.seconds


class ScriptedInbox(Inbox):
    """Each signal comes at its time; whoever waits moves the stopwatch."""

    def __init__(self, stopwatch: HandMovedStopwatch) -> None:
        super().__init__()
        self.stopwatch = stopwatch
        self._script: list[tuple[float, Signal | Callable[[], None]]] = []
        self.waits: list[float] = []

    def at(self, seconds: float, signal: Signal | Callable[[], None]) -> None:
        """Let the signal arrive, or something be done, so many seconds from now."""
        self._script.append((self.stopwatch.seconds + seconds, signal))
        self._script.sort(key=lambda each: each[0])

    @override
    def next(self, timeout: float) -> Signal | None:
        assert len(self.waits) < 1_000, "nothing ever ends this wait"
        self.waits.append(timeout)
        until = self.stopwatch.seconds + timeout
        if self._script and self._script[0][0] <= until:
            arrival, signal = self._script.pop(0)
            self.stopwatch.seconds = max(arrival, self.stopwatch.seconds)
            if callable(signal):
                signal()
            else:
                self.put(signal)
        else:
            self.stopwatch.seconds = until
        return super().next(0)


@dataclass
class ScriptedRunner(Runner):
    """Does nothing by itself; remembers what it was told, and when."""

    stopwatch: HandMovedStopwatch
    kinds: Sequence[str] = ("Crawl",)
    newest: Progress = NO_PROGRESS
    begins_with: Exception | None = None
    begun: list[Assignment] = field(default_factory=list)
    stopped_at: list[float] = field(default_factory=list)
    killed_at: list[float] = field(default_factory=list)
    asked: int = 0

    @override
    def ensure_ready(self) -> Sequence[str]:
        self.asked += 1
        assert self.asked < 1_000, "nothing ever ends this loop"
        return self.kinds

    @override
    def begin(self, assignment: Assignment) -> None:
        if self.begins_with is not None:
            raise self.begins_with
        self.begun.append(assignment)

    @override
    def progress(self) -> Progress:
        return self.newest

    @override
    def stop(self) -> None:
        self.stopped_at.append(self.stopwatch.seconds)

    @override
    def kill(self) -> None:
        self.killed_at.append(self.stopwatch.seconds)
