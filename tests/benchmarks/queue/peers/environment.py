"""The virtual environment that the peers, and the plot, run in; never the project's own."""

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.benchmarks.queue.peers.command import Unavailable
from tests.benchmarks.queue.peers.installer import Installer
from tests.benchmarks.queue.peers.pythons import newest_first
from tests.benchmarks.queue.peers.requirements import PINNED, Requirement, read

LIMIT_SECONDS = 300.0
"""For all that a preparation fetches and installs."""
COMPLETE = "complete.json"


@dataclass(frozen=True, slots=True)
class Environment:
    """A Python, and what it can't import: each missing requirement's name with the reason."""

    python: Path
    missing: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Preparation:
    folder: Path
    requirements: Sequence[Requirement]
    installer: Installer
    ends_at: float

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def on_the_newest(self, pythons: Sequence[Path]) -> Environment:
        """The newest Python that everything accepts; if none does, what the newest accepts."""
        lines = [requirement.line for requirement in self.requirements]
        for python in pythons:
            if self._made(python) is None and self._installed(lines) is None:
                (self.folder / COMPLETE).write_text(json.dumps(lines))
                return Environment(self.python)
        return self._piece_by_piece(pythons[0])

    def _piece_by_piece(self, python: Path) -> Environment:
        if failure := self._made(python):
            return Environment(self.python, dict.fromkeys(self._names(), failure.reason))
        failures = {each.name: self._installed([each.line]) for each in self.requirements}
        missing = {name: failure.reason for name, failure in failures.items() if failure}
        return Environment(self.python, missing)

    def _names(self) -> list[str]:
        return [requirement.name for requirement in self.requirements]

    def _made(self, python: Path) -> Unavailable | None:
        return self._in_time(lambda left: self.installer.make(self.folder, python, left))

    def _installed(self, lines: Sequence[str]) -> Unavailable | None:
        return self._in_time(lambda left: self.installer.install(self.python, lines, left))

    def _in_time(self, step: Callable[[float], str | Unavailable]) -> Unavailable | None:
        if (left := self.ends_at - time.monotonic()) <= 0:
            return Unavailable(f"no time was left of the {LIMIT_SECONDS:g} s for installing")
        result = step(left)
        return result if isinstance(result, Unavailable) else None


def prepare(
    cache: Path | None = None,
    *,
    pinned: Path = PINNED,
    installer: Installer | None = None,
    pythons: Sequence[Path] | None = None,
) -> Environment:
    """The environment for these pins, made below `cache` unless it is there already.

    One in which something is missing is made anew at the next call. Nothing fails for a
    requirement that can't be installed: it stands in `missing`.
    """
    requirements = read(pinned)
    lines = [requirement.line for requirement in requirements]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]
    folder = (cache or _default_cache()) / f"peers-{digest}"
    if (folder / COMPLETE).exists() and (folder / "bin" / "python").exists():
        return Environment(folder / "bin" / "python")
    folder.parent.mkdir(parents=True, exist_ok=True)
    ends_at = time.monotonic() + LIMIT_SECONDS
    preparation = _Preparation(folder, requirements, installer or Installer(), ends_at)
    return preparation.on_the_newest(pythons or newest_first())


def _default_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "anichron-benchmark"
