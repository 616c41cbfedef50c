"""The way into the queue, with a span for each request."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from opentelemetry.trace import Span, Tracer
from typing_extensions import override

from application.ports.transactions import Transaction
from application.ports.work_queue import Enqueued, NewWorkItem, WorkQueue


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedWorkQueue(WorkQueue):
    inner: WorkQueue
    tracer: Tracer

    @override
    def enqueue(self, item: NewWorkItem) -> Enqueued:
        with self._span(item.kind) as span:
            return _told(span, self.inner.enqueue(item))

    @override
    def enqueue_within(
        self, transaction: Transaction, items: Sequence[NewWorkItem]
    ) -> Sequence[Enqueued]:
        with self._span(", ".join(sorted({item.kind for item in items}))) as span:
            answers = self.inner.enqueue_within(transaction, items)
            for answer in answers:
                _told(span, answer)
            return answers

    @override
    def enqueue_if_due(self, item: NewWorkItem, interval: timedelta) -> Enqueued | None:
        with self._span(item.kind) as span:
            answer = self.inner.enqueue_if_due(item, interval)
            return answer if answer is None else _told(span, answer)

    @contextmanager
    def _span(self, kind: str) -> Iterator[Span]:
        with self.tracer.start_as_current_span(
            "enqueue", attributes={"work.kind": kind}, record_exception=False
        ) as span:
            yield span


def _told(span: Span, answer: Enqueued) -> Enqueued:
    span.set_attribute("work.item_id", str(answer.id))
    span.set_attribute("work.coalesced", answer.coalesced)
    return answer
