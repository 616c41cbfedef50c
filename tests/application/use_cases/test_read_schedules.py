"""Schedules as an admin sees them: from the declared ones and the table alone."""

from datetime import timedelta
from uuid import UUID

import pytest

from application.schedules.declared import Intervals, declared_schedules
from application.use_cases.read_schedules import ReadSchedules, ScheduledSlot
from domain.work.outcome import Failed
from domain.work.progress import NO_PROGRESS
from domain.work.status import WorkStatus
from tests.contracts.harness import InMemoryPorts

SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
EVERY = Intervals(token_cleanup=24 * HOUR, work_item_retention=23 * HOUR, crawl=4 * HOUR)


@pytest.fixture
def ports() -> InMemoryPorts:
    return InMemoryPorts()


def slots(ports: InMemoryPorts) -> dict[tuple[str, UUID | None], ScheduledSlot]:
    read = ReadSchedules(
        schedules=declared_schedules(EVERY), scopes=ports.scopes, runs=ports.periodic_runs
    )
    overview = read()
    assert overview.server_time == ports.now()
    return {(slot.kind, slot.scope): slot for slot in overview.slots}


def run(ports: InMemoryPorts, key: str) -> UUID:
    item_id = ports.enqueue(key=key)
    ports.execution.finish(ports.claimed(), Failed("no"), NO_PROGRESS)
    return item_id


def test_every_periodic_kind_has_a_slot_and_crawls_one_for_each_active_config(
    ports: InMemoryPorts,
) -> None:
    first, second, inactive = (ports.add_config() for _ in range(3))
    ports.set_active(inactive, False)
    assert {key: slot.interval for key, slot in slots(ports).items()} == {
        ("TokenCleanup", None): 24 * HOUR,
        ("WorkItemRetention", None): 23 * HOUR,
        ("Crawl", first): 4 * HOUR,
        ("Crawl", second): 4 * HOUR,
    }


def test_what_never_ran_is_due_now_and_overdue(ports: InMemoryPorts) -> None:
    slot = slots(ports)["TokenCleanup", None]
    assert (slot.next_due_at, slot.is_overdue) == (ports.now(), True)
    assert (slot.runs.last, slot.runs.current) == (None, None)


def test_the_next_run_is_due_an_interval_after_the_last_end(ports: InMemoryPorts) -> None:
    item_id = run(ports, "work-item-retention")
    ended = ports.now()
    slot = slots(ports)["WorkItemRetention", None]
    assert slot.runs.last is not None
    assert (slot.runs.last.item_id, slot.runs.last.status) == (item_id, WorkStatus.FAILED)
    assert (slot.next_due_at, slot.is_overdue) == (ended + 23 * HOUR, False)


def test_it_is_overdue_when_nobody_has_enqueued_it_for_a_minute(ports: InMemoryPorts) -> None:
    config = ports.add_config()
    run(ports, f"crawl:{config}")
    ended = ports.now()
    ports.advance(4 * HOUR + 59 * SECOND)
    assert slots(ports)["Crawl", config].is_overdue is False
    ports.advance(SECOND)
    slot = slots(ports)["Crawl", config]
    assert (slot.next_due_at, slot.is_overdue) == (ended + 4 * HOUR, True)


def test_while_it_waits_or_runs_it_is_not_due(ports: InMemoryPorts) -> None:
    run(ports, "token-cleanup")
    ports.advance(48 * HOUR)
    waiting = ports.enqueue(key="token-cleanup")
    slot = slots(ports)["TokenCleanup", None]
    assert slot.runs.current is not None
    assert slot.runs.current.item_id == waiting
    assert (slot.next_due_at, slot.is_overdue) == (None, False)
