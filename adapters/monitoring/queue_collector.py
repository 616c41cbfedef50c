"""The queue's figures as metrics: read at most once in some seconds, however many ask."""

import logging
import threading
from collections.abc import Callable, Iterator
from time import monotonic

from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from typing_extensions import override

from application.ports.queue_figures import COUNTED_UP_TO, Figures, QueueFigures
from domain.errors import DatabaseUnavailable

KEPT_SECONDS = 10.0
ITEMS = f"Work items by kind and status, counted up to {COUNTED_UP_TO}"
OLDEST = "For how long the oldest queued item waits, by what sort of scope it waits in; 0: none"
READABLE = "1 where the figures of the queue could be read, else 0 and they are missing"
logger = logging.getLogger(__name__)


class QueueCollector(Collector):
    def __init__(
        self,
        *,
        registry: CollectorRegistry,
        figures: QueueFigures,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._figures = figures
        self._now = now
        self._lock = threading.Lock()
        self._kept: Figures | None = None
        self._kept_until = float("-inf")
        registry.register(self)

    def describe(self) -> Iterator[Metric]:
        """Registering must not ask the database."""
        yield GaugeMetricFamily("anichron_queue_readable", READABLE)

    @override
    def collect(self) -> Iterator[Metric]:
        found = self._read()
        items = GaugeMetricFamily("anichron_work_items", ITEMS, labels=["kind", "status"])
        oldest = GaugeMetricFamily("anichron_oldest_queued_seconds", OLDEST, labels=["scope"])
        if found is not None:
            for each in found.counts:
                items.add_metric([each.kind, each.status], each.count)
            for scope, seconds in found.oldest_queued.items():
                oldest.add_metric([scope.value], seconds)
        yield GaugeMetricFamily("anichron_queue_readable", READABLE, value=found is not None)
        yield items
        yield oldest

    def _read(self) -> Figures | None:
        """None where the database is away: old figures would look like a queue that stands."""
        with self._lock:
            if self._now() >= self._kept_until:
                try:
                    self._kept = self._figures.read()
                except DatabaseUnavailable as error:
                    logger.debug("no figures of the queue: %s", error)
                    self._kept = None
                self._kept_until = self._now() + KEPT_SECONDS
            return self._kept
