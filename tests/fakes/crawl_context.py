"""What a handler is given, for tests: progress that is kept, a token that asks to stop."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import override

from application.ports.work_context import CancellationToken, ProgressSink, Result, WorkCancelled


@dataclass
class RecordedProgress(ProgressSink):
    reports: list[tuple[int, int | None, str | None]] = field(default_factory=list)

    @override
    def report(self, done: int, total: int | None = None, note: str | None = None) -> None:
        self.reports.append((done, total, note))


@dataclass
class Token(CancellationToken):
    """Asks to stop once `when` says so."""

    when: Callable[[], bool] = lambda: False

    @property
    @override
    def requested(self) -> bool:
        return self.when()

    @override
    def raise_if_requested(self, partial: Result | None = None) -> None:
        if self.requested:
            raise WorkCancelled(partial)


def assert_adds_up(result: Mapping[str, Any]) -> None:
    kinds = ("ingested", "updated", "moved", "duplicate", "unchanged", "skipped", "failed")
    assert result["found"] == sum(result[each] for each in kinds) + result.get("notReached", 0)
    assert result["skipped"] == sum(result["skippedByReason"].values())
    assert result["failed"] == sum(result["failedByReason"].values())
