"""Puts spans around the way into the queue, where there is a tracer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

    from application.ports.work_queue import WorkQueue


def with_spans(queue: WorkQueue, tracer: Tracer | None) -> WorkQueue:
    """The queue, with a span for each request."""
    if tracer is None:
        return queue
    from adapters.monitoring.traced_queue import TracedWorkQueue

    return TracedWorkQueue(inner=queue, tracer=tracer)
