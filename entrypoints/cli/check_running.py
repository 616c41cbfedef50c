"""Tells "nobody has started it" from "it does not answer", for the database of `anichron up`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from domain.errors import DatabaseUnavailable


class NotRunning(DatabaseUnavailable):
    """The embedded server belongs to `anichron up`, which does not run in this home."""

    advice = (
        "start it with `make run` or `anichron up`, or name another database in"
        " POSTGRES_CONNECTION__HOST"
    )

    def __init__(self, home: Path) -> None:
        self.fault = f"Anichron does not run in {home}"
        super().__init__(f"{self.fault}; {self.advice}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRunning:
    """Readiness, with a better word for the first thing that goes wrong."""

    check_readiness: Callable[[], None]
    is_there: Callable[[], bool]
    is_embedded: bool
    home: Path

    def __call__(self) -> None:
        """NotRunning; else what the check of readiness raises."""
        if self.is_embedded and not self.is_there():
            raise NotRunning(self.home)
        self.check_readiness()
