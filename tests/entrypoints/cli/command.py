"""The `anichron` command as a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).resolve().parents[3]


class Anichron(Protocol):
    """The command, at home in the folder of a test."""

    def __call__(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]: ...


def run(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "entrypoints.cli.main", *arguments],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "ANICHRON_HOME": str(home / "home"),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
