"""Runs calls at the same instant."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from domain.errors import DomainError


def race(calls: Sequence[Callable[[], object]]) -> list[object]:
    """What each answered or by which rule it was refused, in the order of the calls."""
    start = Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        start.wait(10)
        try:
            return call()
        except DomainError as refusal:
            return refusal

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))
