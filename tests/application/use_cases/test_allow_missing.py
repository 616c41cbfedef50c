"""Letting a held-back crawl through."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from application.use_cases.allow_missing import AllowMissing
from application.use_cases.enqueue_work import EnqueueWork
from domain.errors import NotFound
from domain.library.storage_config import ConfigInactive
from domain.work.kind import WorkKind
from domain.work.status import WorkStatus
from tests.contracts.harness import InMemoryPorts
from tests.fakes.missing_allowances import InMemoryMissingAllowances

ADMIN = UUID(int=5)


class World(InMemoryPorts):
    def __init__(self) -> None:
        super().__init__()
        self.allowances = InMemoryMissingAllowances(self.table)
        self.allow = AllowMissing(
            transactions=self.transactions,
            allowances=self.allowances,
            enqueue=EnqueueWork(queue=self.queue, new_id=uuid4),
        )


@pytest.fixture
def world() -> World:
    return World()


def test_the_crawl_is_queued_and_the_allowance_written(world: World) -> None:
    config = world.add_config()
    item = world.item(world.allow(config, requested_by=ADMIN))
    assert (item.kind, item.status) == (WorkKind.CRAWL, WorkStatus.QUEUED)
    assert (item.storage_config_id, item.requested_by) == (config, ADMIN)
    assert item.dedup_key == f"crawl:{config}"
    assert item.payload == {"kind": "Crawl", "storage_config_id": str(config)}
    assert world.allowances.allowed == {config: world.now()}


def test_a_second_call_renews_it_and_joins_the_waiting_crawl(world: World) -> None:
    config = world.add_config()
    first = world.allow(config, requested_by=ADMIN)
    world.advance(timedelta(seconds=1))
    assert world.allow(config, requested_by=ADMIN) == first
    assert world.allowances.allowed == {config: world.now()}


def test_beside_a_running_crawl_another_is_queued(world: World) -> None:
    config = world.add_config()
    first = world.allow(config, requested_by=ADMIN)
    world.claimed()
    second = world.allow(config, requested_by=ADMIN)
    assert second != first
    assert world.item(second).status is WorkStatus.QUEUED


def test_a_config_that_nobody_knows_is_not_found(world: World) -> None:
    nothing = uuid4()
    with pytest.raises(NotFound, match=f"^there is no storage config {nothing}$"):
        world.allow(nothing, requested_by=ADMIN)
    assert world.allowances.allowed == {}


def test_a_config_whose_crawl_nobody_would_claim_is_a_conflict(world: World) -> None:
    owner = world.add_user()
    config, other = world.add_config(owner), world.add_config()
    world.set_active(other, is_active=False)
    world.disable_user(owner)
    for inactive in (config, other):
        with pytest.raises(ConfigInactive) as refusal:
            world.allow(inactive, requested_by=ADMIN)
        assert str(refusal.value) == (
            f"storage config {inactive} is inactive or its owner is disabled; it is not crawled"
        )
    assert world.table.items == {}
    assert world.allowances.allowed == {}
