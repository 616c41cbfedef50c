"""A figure of the benchmark, and the small sums that make one."""

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
MILLISECONDS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the table; `ratio` is what the target is about, where there is one."""

    name: str
    value: float
    unit: str
    ratio: float | None = None
    target: str = ""
    reached: bool | None = None


def plain(name: str, value: float, unit: str) -> Figure:
    return Figure(name=name, value=value, unit=unit)


def at_most(name: str, value: float, unit: str, ratio: float, limit: float) -> Figure:
    return Figure(
        name=name,
        value=value,
        unit=unit,
        ratio=ratio,
        target=f"<= {limit:g}",
        reached=ratio <= limit,
    )


def at_least(name: str, value: float, unit: str, ratio: float, limit: float) -> Figure:
    return Figure(
        name=name,
        value=value,
        unit=unit,
        ratio=ratio,
        target=f">= {limit:g}",
        reached=ratio >= limit,
    )


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest value that so large a part of all does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def timed_answer(act: Callable[[], T]) -> tuple[float, T]:
    """Milliseconds that it took, and what it gave."""
    began = time.perf_counter()
    answer = act()
    return (time.perf_counter() - began) * MILLISECONDS, answer


def timed(act: Callable[[], object]) -> float:
    """Milliseconds that it took."""
    return timed_answer(act)[0]
