"""Recovery, item by item: one that can't be settled holds no other back."""

from collections.abc import Sequence
from uuid import UUID

import pytest
from typing_extensions import override

from application.execution.recover_stalled import RecoverStalled
from application.ports.work_item_execution import Answer
from domain.errors import DatabaseLost, DatabaseUnavailable
from domain.work.status import WorkStatus
from tests.contracts.harness import InMemoryPorts
from tests.fakes.work_table import InMemoryWorkItemExecution


class Poisoned(InMemoryWorkItemExecution):
    """Some items cannot be recovered."""

    faults: dict[UUID, Exception]

    @override
    def recover(self, item_id: UUID, *, stall_limit: int) -> Answer:
        if fault := self.faults.get(item_id):
            raise fault
        return super().recover(item_id, stall_limit=stall_limit)


@pytest.fixture
def ports() -> InMemoryPorts:
    return InMemoryPorts()


def stalled(ports: InMemoryPorts, count: int) -> list[UUID]:
    ids = []
    for _ in range(count):
        ports.enqueue()
        ids.append(ports.claimed().item_id)
    ports.expire()
    return ids


def recovery(ports: InMemoryPorts, faults: dict[UUID, Exception]) -> RecoverStalled:
    store = Poisoned(ports.table)
    store.faults = faults
    return RecoverStalled(execution=store, stall_limit=3)


def test_all_that_stalled_is_settled_and_counted(
    ports: InMemoryPorts, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    ids = stalled(ports, 3)
    assert recovery(ports, {})() == 3
    assert {ports.item(each).status for each in ids} == {WorkStatus.QUEUED}
    assert [record.getMessage() for record in caplog.records] == ["stalled: the item is Queued"] * 3
    assert [record.__dict__["item_id"] for record in caplog.records] == ids


def test_nothing_stalled_is_nothing_to_do(ports: InMemoryPorts) -> None:
    ports.enqueue()
    ports.claim()
    assert recovery(ports, {})() == 0


def test_the_stall_limit_is_the_settings(ports: InMemoryPorts) -> None:
    [item_id] = stalled(ports, 1)
    RecoverStalled(execution=ports.execution, stall_limit=1)()
    assert ports.item(item_id).status is WorkStatus.FAILED


def test_an_item_that_cannot_be_recovered_is_logged_once_and_holds_nobody_back(
    ports: InMemoryPorts, caplog: pytest.LogCaptureFixture
) -> None:
    first, second, third = stalled(ports, 3)
    recover = recovery(ports, {first: ValueError("poison"), second: ValueError("poison")})
    assert recover() == 1
    assert ports.item(third).status is WorkStatus.QUEUED
    assert recover() == 0
    assert [record.getMessage() for record in caplog.records] == [
        "the item cannot be recovered"
    ] * 2
    assert [record.__dict__["item_id"] for record in caplog.records] == [first, second]


def test_items_that_cannot_be_recovered_take_no_room_from_the_others(
    ports: InMemoryPorts,
) -> None:
    class Counting(Poisoned):
        asked: list[int]

        @override
        def stalled(self, most: int) -> Sequence[UUID]:
            self.asked.append(most)
            return super().stalled(most)

    first, second = stalled(ports, 2)
    store = Counting(ports.table)
    store.faults, store.asked = {first: ValueError("poison"), second: ValueError("poison")}, []
    recover = RecoverStalled(execution=store, stall_limit=3)
    recover()
    recover()
    assert store.asked == [1_000, 1_002]


def test_an_outage_in_between_is_no_fault_of_the_item(
    ports: InMemoryPorts, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    first, second = stalled(ports, 2)
    recover = recovery(ports, {first: DatabaseUnavailable("away")})
    assert recover() == 1
    assert ports.item(second).status is WorkStatus.QUEUED
    assert caplog.records[0].getMessage() == "recovery will be tried again"
    assert caplog.records[0].levelname == "INFO"
    assert caplog.records[0].__dict__["item_id"] == first


def test_an_item_that_somebody_else_is_at_is_not_counted(ports: InMemoryPorts) -> None:
    class Busy(InMemoryWorkItemExecution):
        @override
        def stalled(self, most: int) -> list[UUID]:
            assert most == 1_000
            return [claimed.item_id]

    ports.enqueue()
    claimed = ports.claimed()
    assert RecoverStalled(execution=Busy(ports.table), stall_limit=3)() == 0


def test_a_database_that_is_gone_ends_the_pass(ports: InMemoryPorts) -> None:
    first, second = stalled(ports, 2)
    with pytest.raises(DatabaseLost):
        recovery(ports, {first: DatabaseLost("gone")})()
    assert ports.item(second).status is WorkStatus.RUNNING
