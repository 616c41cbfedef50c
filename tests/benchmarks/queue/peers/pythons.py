"""The Pythons of this machine: a peer may want a newer one than the project does."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

LIMIT_SECONDS = 10.0
NEWEST_MINOR = 19
ASK = (
    "import sys, sysconfig; v = sys.version_info; print(v.minor, v.micro)"
    " if v.releaselevel == 'final' and v.major == 3 and sys.implementation.name == 'cpython'"
    " and not sysconfig.get_config_var('Py_GIL_DISABLED') else sys.exit(1)"
)


def newest_first(candidates: Iterable[Path] | None = None) -> list[Path]:
    """One Python for each minor version, not older than ours; ours is always there.

    Released ones with a lock only: a peer's wheels are for those.
    """
    of_minor: dict[int, tuple[int, Path]] = {}
    for path in [Path(sys.executable), *(_candidates() if candidates is None else candidates)]:
        version = _version(path)
        if version and version[0] >= sys.version_info.minor:
            micro, _ = of_minor.get(version[0], (-1, path))
            if version[1] > micro:
                of_minor[version[0]] = (version[1], path)
    return [of_minor[minor][1] for minor in sorted(of_minor, reverse=True)]


def _candidates() -> Iterator[Path]:
    for minor in range(sys.version_info.minor, NEWEST_MINOR + 1):
        if found := shutil.which(f"python3.{minor}"):
            yield Path(found)
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from sorted(versions.glob("3.*/bin/python3"))


def _version(python: Path) -> tuple[int, int] | None:
    """None: it isn't one for us, or a shim that leads nowhere."""
    try:
        asked = subprocess.run(
            [python, "-c", ASK], capture_output=True, text=True, check=True, timeout=LIMIT_SECONDS
        )
    except (OSError, subprocess.SubprocessError):
        return None
    minor, micro = asked.stdout.split()
    return int(minor), int(micro)
