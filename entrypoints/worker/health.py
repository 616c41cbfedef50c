"""Whether a Worker is alive and can work, for whoever starts it again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from entrypoints.worker.loops import Loop
from entrypoints.worker.pulse import Pulse


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerHealth:
    main: Pulse
    loops: Sequence[Loop]
    stuck_seconds: float
    runner_start_seconds: float
    """For so long the main loop may wait for a runner, beyond what makes it stuck."""
    why_not_ready: Callable[[], str | None]

    def alive(self) -> str | None:
        """Which loop is stuck; None where all turn, or do not yet. Asks no database."""
        stuck = [name for name, silent, limit in self._silences() if silent > limit]
        return f"stuck: {', '.join(stuck)}" if stuck else None

    def ready(self) -> str | None:
        """Why it can't work: not started yet, a stuck loop, or the database."""
        silences = [self.main.silent_for(), *(loop.pulse.silent_for() for loop in self.loops)]
        if None in silences:
            return "starting"
        return self.alive() or self.why_not_ready()

    def _silences(self) -> list[tuple[str, float, float]]:
        limit = self.stuck_seconds
        return [
            ("main", self.main.silent_for() or 0.0, limit + self.runner_start_seconds),
            *(
                (loop.name, loop.pulse.silent_for() or 0.0, limit + loop.seconds)
                for loop in self.loops
            ),
        ]
