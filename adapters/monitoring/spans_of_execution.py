"""Puts spans beside a Worker's other events, where there is a tracer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapters.monitoring.execution_events import AllOf, ExecutionEvents

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer


def with_spans(events: ExecutionEvents, tracer: Tracer | None) -> ExecutionEvents:
    """The events, and spans of them."""
    if tracer is None:
        return events
    from adapters.monitoring.execution_spans import ExecutionSpans

    return AllOf([events, ExecutionSpans(tracer)])
