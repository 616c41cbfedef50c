"""Section 8: due-ness from the table, for the scopes that the Worker serves."""

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from typing_extensions import override

from application.execution.schedule_due_work import ScheduleDueWork
from application.payloads import CrawlPayload, TokenCleanupPayload
from application.ports.work_item_execution import Serves
from application.ports.work_item_reader import ListFilter
from application.schedules.schedule import Schedule, Slot
from application.use_cases.enqueue_work import EnqueueWork
from domain.work.item import WorkItem
from domain.work.outcome import Failed, Succeeded
from domain.work.progress import NO_PROGRESS
from tests.contracts.harness import InMemoryPorts

FOUR_HOURS, DAY = timedelta(hours=4), timedelta(hours=24)


class Crawls(Schedule):
    @override
    def interval(self) -> timedelta:
        return FOUR_HOURS

    @override
    def slots(self, scopes: Sequence[UUID]) -> Iterable[Slot]:
        return [
            Slot(payload=CrawlPayload(storage_config_id=s), dedup_key=f"crawl:{s}", scope=s)
            for s in scopes
        ]


class Cleanups(Schedule):
    @override
    def interval(self) -> timedelta:
        return DAY

    @override
    def slots(self, scopes: Sequence[UUID]) -> Iterable[Slot]:
        return [Slot(payload=TokenCleanupPayload(), dedup_key="token-cleanup")]


@pytest.fixture
def ports() -> InMemoryPorts:
    return InMemoryPorts()


@pytest.fixture
def scheduler(ports: InMemoryPorts) -> Callable[..., int]:
    def run(user_id: UUID | None = None) -> int:
        return ScheduleDueWork(
            schedules=[Crawls(), Cleanups()],
            scopes=ports.scopes,
            due_work=ports.due_work,
            enqueue=EnqueueWork(queue=ports.queue, new_id=uuid4),
            serves=Serves(user_id=user_id),
        )()

    return run


def items(ports: InMemoryPorts) -> list[WorkItem]:
    page = ports.reader.page(ListFilter(), offset=0, limit=100, count_up_to=100)
    return [ports.item(each.item.id) for each in page.items]


def finish_all(ports: InMemoryPorts, outcome: Succeeded | Failed) -> int:
    count = 0
    while claimed := ports.claim():
        ports.execution.finish(claimed.tag(), outcome, NO_PROGRESS)
        count += 1
    return count


def test_what_was_never_run_is_due_at_once_and_then_not_again(
    ports: InMemoryPorts, scheduler: Callable[..., int], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    config = ports.add_config()
    assert scheduler() == 2
    assert scheduler() == 0
    found = {item.kind: item for item in items(ports)}
    crawl, cleanup = found["Crawl"], found["TokenCleanup"]
    assert (crawl.dedup_key, crawl.storage_config_id) == (f"crawl:{config}", config)
    assert crawl.payload == {"kind": "Crawl", "storage_config_id": str(config)}
    assert (cleanup.dedup_key, cleanup.storage_config_id) == ("token-cleanup", None)
    assert crawl.requested_by is cleanup.requested_by is None
    assert [record.getMessage() for record in caplog.records] == [
        f"crawl:{config} is due",
        "token-cleanup is due",
    ]
    assert caplog.records[0].__dict__["item_id"] == crawl.id


def test_a_users_worker_schedules_its_own_scopes_and_the_unscoped(
    ports: InMemoryPorts, scheduler: Callable[..., int]
) -> None:
    anna = ports.add_user()
    hers = ports.add_config(anna)
    ports.add_config()
    scheduler(anna)
    assert {item.storage_config_id for item in items(ports)} == {hers, None}


def test_an_inactive_config_is_not_scheduled(
    ports: InMemoryPorts, scheduler: Callable[..., int]
) -> None:
    ports.set_active(ports.add_config(), False)
    scheduler()
    assert [item.kind for item in items(ports)] == ["TokenCleanup"]


def test_after_26_hours_away_each_overdue_key_runs_once_and_then_in_its_rhythm(
    ports: InMemoryPorts, scheduler: Callable[..., int]
) -> None:
    ports.add_config()
    scheduler()
    finish_all(ports, Succeeded({}))
    ports.advance(timedelta(hours=26))
    assert scheduler() == 2
    assert scheduler() == 0
    assert finish_all(ports, Succeeded({})) == 2
    ports.advance(timedelta(hours=3, minutes=59))
    assert scheduler() == 0
    ports.advance(timedelta(minutes=1))
    assert scheduler() == 1


def test_a_failed_run_is_not_repeated_before_its_interval(
    ports: InMemoryPorts, scheduler: Callable[..., int]
) -> None:
    scheduler()
    finish_all(ports, Failed("x"))
    ports.advance(timedelta(hours=23))
    assert scheduler() == 0
    ports.advance(timedelta(hours=1))
    assert scheduler() == 1


def test_what_still_runs_is_not_due(ports: InMemoryPorts, scheduler: Callable[..., int]) -> None:
    scheduler()
    ports.claim()
    ports.advance(timedelta(days=3))
    assert scheduler() == 0


def test_what_another_scheduler_enqueued_in_between_is_not_counted(
    ports: InMemoryPorts, caplog: pytest.LogCaptureFixture
) -> None:
    class Late(type(ports.due_work)):  # type: ignore[misc]
        def due(self, intervals: dict[str, timedelta]) -> frozenset[str]:
            return frozenset(intervals)

    caplog.set_level("INFO")
    ports.enqueue(key="token-cleanup")
    run = ScheduleDueWork(
        schedules=[Cleanups()],
        scopes=ports.scopes,
        due_work=Late(ports.table),
        enqueue=EnqueueWork(queue=ports.queue, new_id=uuid4),
        serves=Serves(),
    )
    assert run() == 0
    assert caplog.records == []
