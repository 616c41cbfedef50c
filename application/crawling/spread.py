"""Spreads work over threads without ever holding more than a few pieces of it."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from application.ports.work_context import CancellationToken

Piece = TypeVar("Piece")
Outcome = TypeVar("Outcome")


def spread(
    work: Callable[[Piece], Outcome],
    pieces: Iterable[Piece],
    width: int,
    cancellation: CancellationToken,
) -> Iterator[Outcome]:
    """Outcomes as they come. After a cancel request no piece is begun, begun ones are finished.

    An error of a piece is raised here, once the pieces in flight have ended.
    """
    pending: set[Future[Outcome]] = set()
    with ThreadPoolExecutor(width, thread_name_prefix="file") as pool:
        for piece in pieces:
            if cancellation.requested:
                break
            pending.add(pool.submit(work, piece))
            if len(pending) > width:
                yield from _ended(pending)
        while pending:
            if cancellation.requested:
                pending -= {each for each in pending if each.cancel()}
            yield from _ended(pending)


def _ended(pending: set[Future[Outcome]]) -> Iterator[Outcome]:
    done, _ = wait(pending, return_when=FIRST_COMPLETED)
    pending -= done
    for each in done:
        yield each.result()
