"""What PostgreSQL promises of allowances, and their transaction with the crawl's request."""

from datetime import datetime
from threading import Thread
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.connections import one_transaction
from adapters.postgres.missing_allowances import PostgresMissingAllowances
from application.use_cases.allow_missing import AllowMissing
from application.use_cases.enqueue_work import EnqueueWork
from domain.errors import NotFound
from domain.library.storage_config import ConfigInactive
from domain.work.status import WorkStatus
from tests.contracts.harness import PostgresPorts

pytestmark = pytest.mark.postgres
ADMIN = UUID(int=5)


class Scene(PostgresPorts):
    def allowed_at(self, config: UUID) -> datetime | None:
        query = "SELECT allowed_at FROM missing_allowances WHERE storage_config_id = :id"
        with self.engine.connect() as connection:
            found: datetime | None = connection.execute(
                text(query), {"id": config}
            ).scalar_one_or_none()
        return found

    def somebody_waits(self) -> bool:
        query = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        with self.engine.connect() as connection:
            return bool(connection.execute(text(query)).all())

    def allow(self, config: UUID) -> UUID:
        use_case = AllowMissing(
            transactions=self.transactions,
            allowances=PostgresMissingAllowances(),
            enqueue=EnqueueWork(queue=self.queue, new_id=uuid4),
        )
        return use_case(config, requested_by=ADMIN)


@pytest.fixture
def scene(engine: Engine) -> Scene:
    return Scene(engine=engine)


def test_it_is_written_with_the_request_and_renewed_with_a_later_instant(scene: Scene) -> None:
    config = scene.add_config()
    item = scene.allow(config)
    first = scene.allowed_at(config)
    assert first is not None
    assert scene.allow(config) == item
    second = scene.allowed_at(config)
    assert second is not None
    assert second > first


def test_a_clock_that_stepped_back_never_gives_an_instant_twice(scene: Scene) -> None:
    config = scene.add_config()
    scene.allow(config)
    scene.run("UPDATE missing_allowances SET allowed_at = '2999-01-01 00:00:00+00'")
    scene.allow(config)
    renewed = scene.allowed_at(config)
    assert renewed is not None
    assert renewed.isoformat() == "2999-01-01T00:00:00.000001+00:00"


def test_neither_is_there_when_the_transaction_fails(scene: Scene) -> None:
    config = scene.add_config()
    scene.run("ALTER TABLE missing_allowances ADD CHECK (allowed_at < '2000-01-01')")
    with pytest.raises(Exception, match="missing_allowances"):
        scene.allow(config)
    with scene.engine.connect() as connection:
        assert connection.execute(text("SELECT FROM work_items")).all() == []


def test_unknown_and_inactive_configs_are_refused(scene: Scene) -> None:
    with pytest.raises(NotFound):
        scene.allow(uuid4())
    owner = scene.add_user()
    config, other = scene.add_config(owner), scene.add_config()
    scene.set_active(other, is_active=False)
    scene.disable_user(owner)
    for inactive in (config, other):
        with pytest.raises(ConfigInactive):
            scene.allow(inactive)
        assert scene.allowed_at(inactive) is None


def test_a_config_that_is_being_deleted_is_awaited_and_then_not_found(scene: Scene) -> None:
    config = scene.add_config()
    told: list[BaseException] = []

    def allow() -> None:
        try:
            scene.allow(config)
        except NotFound as error:
            told.append(error)

    with one_transaction(scene.engine) as remover:
        remover.execute(text("DELETE FROM storage_configs WHERE id = :id"), {"id": config})
        caller = Thread(target=allow)
        caller.start()
        while not scene.somebody_waits():
            assert caller.is_alive()
    caller.join(10)
    assert len(told) == 1


def test_a_running_crawl_gets_a_successor(scene: Scene) -> None:
    config = scene.add_config()
    first = scene.allow(config)
    scene.claimed()
    second = scene.allow(config)
    assert second != first
    assert scene.item(second).status is WorkStatus.QUEUED
    assert scene.item(first).status is WorkStatus.RUNNING
