"""What each process holds, taken again and again, and whether it grows."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1024.0
"""In the kernel's kilobytes."""
WARM_UP = 0.25
"""This part of the samples is passed over: caches fill, pools open."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of one process, and how much it may grow from the first to the last third."""

    name: str
    unit: str
    may_grow: float


MEMORY = Measure("memory", "MB", 10)
FILES = Measure("file descriptors", "", 5)
THREADS = Measure("threads", "", 2)
SESSIONS = Measure("database sessions", "", 1)


@dataclass(frozen=True, slots=True)
class Growth:
    """How a figure went: medians of the first and the last third after the warm-up."""

    of: str
    measure: Measure
    first: float
    last: float
    most: float

    @property
    def is_flat(self) -> bool:
        return self.last - self.first <= self.measure.may_grow


def growth(of: str, measure: Measure, samples: Sequence[float]) -> Growth:
    """Needs at least eight samples."""
    settled = samples[int(len(samples) * WARM_UP) :]
    third = len(settled) // 3
    return Growth(
        of,
        measure,
        statistics.median(settled[:third]),
        statistics.median(settled[-third:]),
        max(samples),
    )


def taken_of(pid: int) -> Mapping[Measure, float]:
    """Of one process, from the kernel; nothing where it is gone."""
    process = Path(f"/proc/{pid}")
    try:
        status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
        return {
            MEMORY: int(status["VmRSS"].split()[0]) / MEGABYTE,
            FILES: len(list((process / "fd").iterdir())),
            THREADS: int(status["Threads"]),
        }
    except (FileNotFoundError, KeyError, ProcessLookupError):
        return {}


def children_of(pid: int) -> list[int]:
    """The processes that this one began and that live."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found += map(int, task.read_text().split())
    return found
