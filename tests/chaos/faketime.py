"""libfaketime: a clock of a Worker's own, that can be moved while it runs."""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import SupportsIndex

FAKETIME = ("/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib/faketime/libfaketimeMT.so.1")


@dataclass
class WorkerClock:
    """The file from which libfaketime reads how far a Worker's clock is off."""

    file: Path

    def set(self, seconds: int) -> None:
        part = self.file.with_suffix(".part")
        part.write_text(f"{seconds:+d}\n")
        part.replace(self.file)

    def environment(self, library: Path) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1",
            # What measures spans is no clock on the wall, and steps on no machine.
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }


def find_faketime() -> Path | None:
    """The library, where Debian's and others' packages put it."""
    found = [path for pattern in FAKETIME for path in Path("/").glob(pattern.lstrip("/"))]
    return found[0] if found else None


def sleep_under_faketime() -> None:
    """Call it first in a process that libfaketime is loaded into.

    There (0.9.10) time.sleep fails with EINVAL, since it sleeps until an instant on the monotonic
    clock, which is left alone; subprocess sleeps so too.
    """
    if "FAKETIME_TIMESTAMP_FILE" in os.environ:
        time.sleep = _sleep


def _sleep(seconds: float | SupportsIndex, /) -> None:
    Event().wait(float(seconds))
