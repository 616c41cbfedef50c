"""What a handler is given, in memory."""

from uuid import UUID

from typing_extensions import override

from application.ports.work_context import (
    CancellationToken,
    ProgressSink,
    Result,
    WorkCancelled,
    WorkContext,
)
from domain.work.attempt import AttemptTag

Snapshot = tuple[int, int | None, str | None]


class InMemoryProgress(ProgressSink):
    """Remembers every snapshot."""

    def __init__(self) -> None:
        self.snapshots: list[Snapshot] = []

    @override
    def report(self, done: int, total: int | None = None, note: str | None = None) -> None:
        self.snapshots.append((done, total, note))


class InMemoryCancellation(CancellationToken):
    """Asks to stop after so many looks; None never does."""

    def __init__(self, after: int | None = None) -> None:
        self._left = after

    @property
    @override
    def requested(self) -> bool:
        if self._left is None:
            return False
        self._left -= 1
        return self._left < 0

    @override
    def raise_if_requested(self, partial: Result | None = None) -> None:
        if self.requested:
            raise WorkCancelled(partial)


def context_of(tag: AttemptTag | None = None, stop_after: int | None = None) -> WorkContext:
    return WorkContext(
        tag=tag or AttemptTag(item_id=UUID(int=1), attempt=1),
        progress=InMemoryProgress(),
        cancellation=InMemoryCancellation(stop_after),
    )
