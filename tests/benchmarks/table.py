"""A table of figures, each with its target beside it. Nothing is asserted: machines are noisy."""

import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from typing_extensions import override


class Row(NamedTuple):
    name: str
    value: str
    ratio: str
    target: str
    reached: str


HEADINGS = Row("name", "value", "ratio", "target", "reached")


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of several runs of one thing."""

    seconds: Sequence[float]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @override
    def __str__(self) -> str:
        low, high = min(self.seconds), max(self.seconds)
        return f"{self.median:.3f} s ({low:.3f}-{high:.3f}, {len(self.seconds)} runs)"


def plain(name: str, value: object) -> Row:
    """A figure without a target."""
    return Row(name, str(value), "", "", "")


def at_most(name: str, value: object, figure: float, limit: float, unit: str = "") -> Row:
    return _judged(name, value, figure, f"<= {limit:g}{unit}", is_reached=figure <= limit)


def at_least(name: str, value: object, figure: float, limit: float, unit: str = "") -> Row:
    return _judged(name, value, figure, f">= {limit:g}{unit}", is_reached=figure >= limit)


def _judged(name: str, value: object, figure: float, target: str, *, is_reached: bool) -> Row:
    return Row(name, str(value), f"{figure:.2f}", target, "yes" if is_reached else "NO")


def show(rows: Sequence[Row]) -> None:
    lines = [HEADINGS, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    for line in lines:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print("  ".join(padded).rstrip())


def machine() -> str:
    """One line on what all of it was measured on."""
    info = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    models = [line.partition(":")[2].strip() for line in info.splitlines() if "model name" in line]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores ({models[0] if models else platform.machine()}), {memory:.0f} GB,"
        f" Linux {platform.release()}, Python {platform.python_version()},"
        f" load {os.getloadavg()[0]:.2f}"
    )
