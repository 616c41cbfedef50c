"""Makes virtual environments and installs into them: uv where it is, else venv and pip."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.benchmarks.queue.peers.command import Unavailable, output


def _uv() -> Path | None:
    """The one that `make` put beside our Python, or another."""
    beside = Path(sys.executable).with_name("uv")
    found = shutil.which("uv")
    return beside if beside.exists() else Path(found) if found else None


@dataclass(frozen=True, slots=True)
class Installer:
    uv: Path | None = field(default_factory=_uv)

    def make(self, folder: Path, python: Path, limit: float) -> str | Unavailable:
        """A new environment in the folder, whatever was there before. The limit is in seconds."""
        if self.uv:
            options = ("--quiet", "--clear", "--python", python)
            return output([self.uv, "venv", *options, folder], limit)
        return output([python, "-m", "venv", "--clear", folder], limit)

    def install(self, python: Path, requirements: Sequence[str], limit: float) -> str | Unavailable:
        """All of them, or none. `python` is the environment's."""
        if self.uv:
            into = ("pip", "install", "--quiet", "--python", python)
            return output([self.uv, *into, *requirements], limit)
        quietly = ("-qq", "--disable-pip-version-check", "--no-input")
        return output([python, "-m", "pip", "install", *quietly, *requirements], limit)
