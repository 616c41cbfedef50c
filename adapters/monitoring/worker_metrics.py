"""What a Worker does, as metrics."""

from collections.abc import Mapping
from itertools import product

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from typing_extensions import override

from adapters.monitoring.execution_events import (
    Ended,
    ExecutionEvents,
    Fence,
    Heard,
    StallCause,
)
from domain.library.verdict import Disposition
from domain.work.item import WorkItem
from domain.work.kind import WorkKind
from domain.work.status import WorkStatus

STATEMENT_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
RUN_SECONDS = (0.01, 0.1, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3_600.0, 10_800.0, 43_200.0)
OUTCOMES = ("Succeeded", "Failed", "Cancelled", "Released", "Stalled")
FILE_OUTCOMES = (*Disposition, "missing", "restored")
"""What became of the files of a crawl, under the names of its result."""


class WorkerMetrics(ExecutionEvents):
    """Counts from the start of the Worker on. Files are counted when their crawl ends."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def histogram(
            name: str, text: str, labels: list[str], buckets: tuple[float, ...]
        ) -> Histogram:
            return Histogram(name, text, labels, buckets=buckets, registry=registry)

        def counter(name: str, text: str, labels: list[str]) -> Counter:
            return Counter(name, text, labels, registry=registry)

        self._claim = histogram(
            "anichron_claim_seconds", "Claims, by what came of them", ["answer"], STATEMENT_SECONDS
        )
        self._heartbeat = histogram(
            "anichron_heartbeat_seconds",
            "Heartbeats, by what came of them",
            ["answer"],
            STATEMENT_SECONDS,
        )
        self._run = histogram(
            "anichron_run_seconds",
            "Runs whose outcome is written, by kind and outcome",
            ["kind", "outcome"],
            RUN_SECONDS,
        )
        self._running = Gauge(
            "anichron_running", "1 while an item runs on this Worker", registry=registry
        )
        self._stalls = counter(
            "anichron_stalls",
            "Stalls that this Worker settled: a lease ran out, or a run died here",
            ["cause"],
        )
        self._recoveries = counter(
            "anichron_recoveries", "What stalled items became, by status", ["status"]
        )
        self._fenced = counter(
            "anichron_fenced_attempts",
            "Attempts of this Worker that were not current any more, by how it came out",
            ["how"],
        )
        self._files = counter(
            "anichron_crawl_files",
            "Files of the crawls that ended on this Worker, by what became of them",
            ["outcome"],
        )
        self._start_at_zero()

    def _start_at_zero(self) -> None:
        """A rate needs a zero to begin with, and an alert a series that is there.

        The first failure of a kind would be no increase of a series that begins with it.
        """
        for kind, outcome in product(WorkKind, OUTCOMES):
            self._run.labels(kind.value, outcome)
        for cause in StallCause:
            self._stalls.labels(cause.value)
        for status in (WorkStatus.QUEUED, WorkStatus.FAILED, WorkStatus.CANCELLED):
            self._recoveries.labels(status.value)
        for fence in Fence:
            self._fenced.labels(fence.value)
        for outcome in FILE_OUTCOMES:
            self._files.labels(str(outcome))

    @override
    def claim_asked(self, seconds: float, heard: Heard) -> None:
        self._running.set(0)  # a claim is asked for when nothing runs
        self._claim.labels(heard.value).observe(seconds)

    @override
    def began(self, item: WorkItem, claim_seconds: float) -> None:
        self._running.set(1)

    @override
    def beat(self, seconds: float, heard: Heard) -> None:
        self._heartbeat.labels(heard.value).observe(seconds)

    @override
    def ended(self, ended: Ended) -> None:
        self._running.set(0)
        self._run.labels(ended.item.kind, ended.outcome).observe(ended.seconds)
        if ended.item.kind == WorkKind.CRAWL and ended.result is not None:
            self._count_files(ended.result)

    @override
    def fenced(self, item: WorkItem, fence: Fence) -> None:
        self._fenced.labels(fence.value).inc()

    @override
    def recovered(self, cause: StallCause, status: str) -> None:
        self._stalls.labels(cause.value).inc()
        self._recoveries.labels(status).inc()

    def _count_files(self, result: Mapping[str, object]) -> None:
        for outcome in FILE_OUTCOMES:
            count = result.get(str(outcome))
            if isinstance(count, int):
                self._files.labels(str(outcome)).inc(count)
