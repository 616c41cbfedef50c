"""Many threads, each with connections of its own, let loose at the same instant."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import Engine, text

T = TypeVar("T")
LIMIT_SECONDS = 60


def all_at_once(acts: list[Callable[[], T]]) -> list[T]:
    """Run each act in a thread of its own; what they returned, in their order."""
    gate = threading.Barrier(len(acts))

    def through(act: Callable[[], T]) -> T:
        gate.wait(LIMIT_SECONDS)
        return act()

    with ThreadPoolExecutor(len(acts)) as threads:
        futures = [threads.submit(through, act) for act in acts]
        return [future.result(LIMIT_SECONDS) for future in futures]


@contextmanager
def held_row(engine: Engine, statement: str, **parameters: object) -> Iterator[None]:
    """A transaction that did this and does not end before the block does; it rolls back."""
    with engine.connect() as connection:
        connection.execute(text(statement), parameters)
        try:
            yield
        finally:
            connection.rollback()
