"""Spans of claims and runs. An item's own are found by its id."""

import time
from collections.abc import Callable
from typing import Final

from opentelemetry.trace import Span, Status, StatusCode, Tracer, set_span_in_context
from typing_extensions import override

from adapters.monitoring.execution_events import (
    Ended,
    ExecutionEvents,
    Fence,
    Heard,
    StallCause,
)
from domain.work.item import WorkItem

NANOSECONDS: Final = 1_000_000_000


class ExecutionSpans(ExecutionEvents):
    """One trace for each attempt: `claim`, and beside it `run`. No error's text is told."""

    def __init__(self, tracer: Tracer, now: Callable[[], int] = time.time_ns) -> None:
        self._tracer = tracer
        self._now = now
        self._run: Span | None = None
        self._attempt: Span | None = None

    @override
    def claim_asked(self, seconds: float, heard: Heard) -> None:
        """Most find nothing; a span every two seconds would say so."""

    @override
    def began(self, item: WorkItem, claim_seconds: float) -> None:
        now = self._now()
        began = now - round(claim_seconds * NANOSECONDS)
        attempt = self._tracer.start_span(
            "attempt", start_time=began, attributes=attributes_of(item)
        )
        inside = set_span_in_context(attempt)
        self._tracer.start_span("claim", inside, start_time=began).end(now)
        self._run = self._tracer.start_span(
            "run", inside, start_time=now, attributes=attributes_of(item)
        )
        self._attempt = attempt

    @override
    def beat(self, seconds: float, heard: Heard) -> None:
        """Metrics tell of them; as spans they would hide the rest."""

    @override
    def ended(self, ended: Ended) -> None:
        self._end(ended.outcome, is_error=ended.outcome in {"Failed", "Stalled"})

    @override
    def fenced(self, item: WorkItem, fence: Fence) -> None:
        self._end(f"fenced off ({fence})", is_error=True)

    @override
    def recovered(self, cause: StallCause, status: str) -> None:
        """The attempt that stalled was another Worker's, or has been told."""

    def _end(self, outcome: str, *, is_error: bool) -> None:
        run, attempt = self._run, self._attempt
        self._run = self._attempt = None
        for span in (run, attempt):
            if span is not None:
                span.set_attribute("work.outcome", outcome)
                if is_error:
                    span.set_status(Status(StatusCode.ERROR))
                span.end(self._now())


def attributes_of(item: WorkItem) -> dict[str, str | int]:
    return {
        "work.item_id": str(item.id),
        "work.kind": item.kind,
        "work.attempt": item.attempt,
        "work.worker": item.claimed_by or "",
    }
