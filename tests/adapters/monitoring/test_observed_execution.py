"""What a Worker's metrics say of what its execution did."""

from dataclasses import replace

import pytest
from prometheus_client import CollectorRegistry
from typing_extensions import override

from adapters.monitoring.execution_events import AllOf
from adapters.monitoring.observed_execution import CurrentRun, ObservedExecution
from adapters.monitoring.worker_metrics import WorkerMetrics
from application.ports.work_item_execution import Beat, ClaimRequest, Refused, Serves, Settled
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.outcome import Cancelled, Failed, Succeeded
from domain.work.progress import NO_PROGRESS
from domain.work.status import WorkStatus
from tests.contracts.harness import LEASE, InMemoryPorts, claim_request
from tests.fakes.work_table import InMemoryWorkItemExecution

KINDS = ("Crawl", "TokenCleanup")
WHO = Serves()


class Stage:
    """Two executions of one Worker, as the keeper has them, on a clock that is moved by hand."""

    def __init__(self) -> None:
        self.ports = InMemoryPorts()
        self.registry = CollectorRegistry()
        self.seconds = 100.0
        run = CurrentRun(events=AllOf([WorkerMetrics(self.registry)]), now=lambda: self.seconds)
        inner = InMemoryWorkItemExecution(self.ports.table)
        self.execution = ObservedExecution(inner=inner, run=run)
        self.beating = ObservedExecution(inner=inner, run=run)

    def claim(self) -> WorkItem | None:
        return self.execution.claim(
            ClaimRequest(serves=WHO, kinds=KINDS, worker="all@here", lease=LEASE)
        )

    def claimed(self, kind: str = "Crawl") -> AttemptTag:
        self.ports.enqueue(kind)
        item = self.claim()
        assert item is not None
        return item.tag()

    def value(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(f"anichron_{name}", labels)


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_the_first_failure_of_a_kind_is_an_increase(stage: Stage) -> None:
    assert stage.value("run_seconds_count", kind="Crawl", outcome="Failed") == 0
    stage.execution.finish(stage.claimed(), Failed("OSError: no"), NO_PROGRESS)
    assert stage.value("run_seconds_count", kind="Crawl", outcome="Failed") == 1


def test_claims_are_timed_by_what_came_of_them(stage: Stage) -> None:
    assert stage.claim() is None
    stage.claimed()
    assert stage.value("claim_seconds_count", answer="none") == 1
    assert stage.value("claim_seconds_count", answer="item") == 1
    assert stage.value("claim_seconds_count", answer="failed") is None


def test_a_claim_that_fails_is_counted_and_still_fails(stage: Stage) -> None:
    class Away(InMemoryWorkItemExecution):
        @override
        def claim(self, request: ClaimRequest) -> WorkItem | None:
            stage.seconds += 3
            raise DatabaseUnavailable("away")

    stage.execution = replace(stage.execution, inner=Away(stage.ports.table))
    with pytest.raises(DatabaseUnavailable):
        stage.claim()
    assert stage.value("claim_seconds_sum", answer="failed") == 3


def test_a_run_is_timed_from_claim_to_outcome_by_kind(stage: Stage) -> None:
    tag = stage.claimed()
    assert stage.value("running") == 1
    stage.seconds += 42
    stage.execution.finish(tag, Failed("no"), NO_PROGRESS)
    assert stage.value("run_seconds_sum", kind="Crawl", outcome="Failed") == 42
    assert stage.value("running") == 0
    other = stage.claimed("TokenCleanup")
    stage.execution.finish(other, Succeeded({"deleted": 1}), NO_PROGRESS)
    assert stage.value("run_seconds_count", kind="TokenCleanup", outcome="Succeeded") == 1
    assert stage.value("crawl_files_total", outcome="ingested") == 0


def test_an_outcome_with_the_next_claim_ends_one_run_and_begins_another(stage: Stage) -> None:
    tag = stage.claimed()
    stage.seconds += 42
    stage.ports.enqueue("TokenCleanup")
    _, item = stage.execution.finish_and_claim(
        tag, Succeeded({"ingested": 3}), NO_PROGRESS, claim_request(kinds=KINDS)
    )
    assert item is not None
    assert stage.value("run_seconds_sum", kind="Crawl", outcome="Succeeded") == 42
    assert stage.value("crawl_files_total", outcome="ingested") == 3
    assert stage.value("claim_seconds_count", answer="item") == 2
    assert stage.value("running") == 1
    stage.seconds += 8
    last = stage.execution.finish_and_claim(
        item.tag(), Failed("no"), NO_PROGRESS, claim_request(kinds=KINDS)
    )
    assert last == (Settled(status=WorkStatus.FAILED), None)
    assert stage.value("run_seconds_sum", kind="TokenCleanup", outcome="Failed") == 8
    assert stage.value("claim_seconds_count", answer="none") is None
    assert stage.value("running") == 0


def test_a_refused_outcome_with_the_next_claim_is_a_fence(stage: Stage) -> None:
    tag = stage.claimed()
    stage.ports.expire()
    stage.ports.execution.recover(tag.item_id, stall_limit=3)
    answer, item = stage.execution.finish_and_claim(
        tag, Succeeded({}), NO_PROGRESS, claim_request(kinds=KINDS)
    )
    assert answer is Refused.FENCED_OFF
    assert item is not None
    assert item.tag() == AttemptTag(item_id=tag.item_id, attempt=2)
    assert stage.value("fenced_attempts_total", how="outcome") == 1
    assert stage.value("run_seconds_count", kind="Crawl", outcome="Succeeded") == 0
    assert stage.value("running") == 1


def test_the_files_of_a_crawl_are_counted_when_it_ends_or_is_cancelled(stage: Stage) -> None:
    counts = {"found": 9, "ingested": 5, "failed": 1, "missing": 3, "byMediaType": {"Image": 5}}
    stage.execution.finish(stage.claimed(), Succeeded(counts), NO_PROGRESS)
    tag = stage.claimed()
    stage.ports.canceller.cancel(tag.item_id)
    stage.execution.finish(tag, Cancelled({"ingested": 2}), NO_PROGRESS)
    assert stage.value("crawl_files_total", outcome="ingested") == 7
    assert stage.value("crawl_files_total", outcome="failed") == 1
    assert stage.value("crawl_files_total", outcome="missing") == 3
    assert stage.value("crawl_files_total", outcome="moved") == 0
    assert stage.value("run_seconds_count", kind="Crawl", outcome="Cancelled") == 1


def test_a_release_is_no_stall_and_a_death_is_one(stage: Stage) -> None:
    stage.execution.release(stage.claimed(), None)
    assert stage.value("run_seconds_count", kind="Crawl", outcome="Released") == 1
    item = stage.claim()
    assert item is not None
    stage.execution.recover_dead(item.tag(), stall_limit=3)
    assert stage.value("run_seconds_count", kind="Crawl", outcome="Stalled") == 1
    assert stage.value("stalls_total", cause="death") == 1
    assert stage.value("stalls_total", cause="lease") == 0
    assert stage.value("recoveries_total", status="Queued") == 1


def test_what_another_worker_left_is_a_stall_and_ends_no_run_here(stage: Stage) -> None:
    stage.ports.enqueue("TokenCleanup")
    left = stage.ports.claimed()
    stage.ports.expire()
    tag = stage.claimed()
    assert stage.execution.recover(left.item_id, stall_limit=1) == Settled(status=WorkStatus.FAILED)
    assert stage.value("stalls_total", cause="lease") == 1
    assert stage.value("recoveries_total", status="Failed") == 1
    assert stage.value("running") == 1
    stage.execution.finish(tag, Succeeded({}), NO_PROGRESS)
    assert stage.value("run_seconds_count", kind="Crawl", outcome="Succeeded") == 1


def test_an_attempt_is_fenced_once_however_often_it_is_told(stage: Stage) -> None:
    tag = stage.claimed()
    assert isinstance(stage.beating.heartbeat(tag, NO_PROGRESS, LEASE), Beat)
    stage.ports.expire()
    stage.ports.execution.recover(tag.item_id, stall_limit=3)
    for _ in range(2):
        assert stage.beating.heartbeat(tag, NO_PROGRESS, LEASE) is Refused.FENCED_OFF
    stage.execution.finish(tag, Succeeded({}), NO_PROGRESS)
    assert stage.value("fenced_attempts_total", how="heartbeat") == 1
    assert stage.value("fenced_attempts_total", how="outcome") == 0
    assert stage.value("heartbeat_seconds_count", answer="written") == 1
    assert stage.value("heartbeat_seconds_count", answer="refused") == 2


def test_an_outcome_that_comes_too_late_is_a_fence(stage: Stage) -> None:
    tag = stage.claimed()
    stage.ports.expire()
    stage.ports.execution.recover(tag.item_id, stall_limit=3)
    stage.execution.finish(tag, Succeeded({}), NO_PROGRESS)
    assert stage.value("fenced_attempts_total", how="outcome") == 1
    assert stage.value("run_seconds_count", kind="Crawl", outcome="Succeeded") == 0


def test_a_run_of_which_nothing_was_written_had_lapsed(stage: Stage) -> None:
    stage.claimed()
    stage.claim()
    stage.claim()
    assert stage.value("fenced_attempts_total", how="lapsed") == 1
    assert stage.value("running") == 0
