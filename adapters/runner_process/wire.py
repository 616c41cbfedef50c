"""What the keeper and its runner say to each other over their socket, pickled.

Both ends are the same release of the same program; nobody else can reach the socket.
"""

from dataclasses import dataclass

from application.ports.runner import Report
from domain.work.attempt import AttemptTag
from domain.work.progress import Progress


@dataclass(frozen=True, slots=True)
class Ready:
    """The runner is up; the kinds that it has handlers for."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unfit:
    """The runner will not work, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Reported:
    """Newer progress."""

    tag: AttemptTag
    progress: Progress


@dataclass(frozen=True, slots=True)
class Ended:
    """The handler ended."""

    tag: AttemptTag
    report: Report
    progress: Progress


@dataclass(frozen=True, slots=True)
class Stop:
    """Tell the handler of this attempt to stop."""

    tag: AttemptTag
