"""A large config goes in steps, and takes everything along."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest
from sqlalchemy import Engine, text

from adapters.postgres import config_removal
from application.ports.storage_configs import NewStorageConfig, StorageConfigChange
from application.ports.users import UserChange
from domain.errors import Conflict, NotFound
from domain.identity.user import LastAdmin
from tests.adapters.postgres.racing import race
from tests.contracts.accounts_ports import AccountsPorts, in_postgres

pytestmark = pytest.mark.postgres

FINISHED = text("""
    INSERT INTO work_items (id, kind, payload, storage_config_id, status, finished_at)
    SELECT gen_random_uuid(), 'Crawl', '{}', :config, 'Succeeded', clock_timestamp()
    FROM generate_series(1, 25)
""")
UNFINISHED = text("""
    INSERT INTO work_items (id, kind, payload, storage_config_id)
    SELECT gen_random_uuid(), 'Crawl', '{}', :config FROM generate_series(1, 5)
""")


@pytest.fixture
def ports(engine: Engine) -> AccountsPorts:
    return in_postgres(engine)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_removal, "BATCH", 10)


def config_with_items(ports: AccountsPorts, engine: Engine, owner: UUID, name: str) -> UUID:
    config = ports.storage_configs.add(
        NewStorageConfig(user_id=owner, root_path=f"/{name}", time_zone="UTC")
    )
    with engine.begin() as connection:
        connection.execute(FINISHED, {"config": config.id})
        connection.execute(UNFINISHED, {"config": config.id})
    return config.id


def count(engine: Engine, what: str) -> int:
    with engine.connect() as connection:
        found: int = connection.execute(text(f"SELECT count(*) FROM {what}")).scalar_one()
        return found


def test_what_is_being_removed_is_not_switched_on_again(
    ports: AccountsPorts, engine: Engine
) -> None:
    config = config_with_items(ports, engine, ports.user("anna").id, "photos")
    with engine.begin() as connection:
        connection.execute(text("SELECT close_storage_config(:id)"), {"id": config})
    with pytest.raises(Conflict, match="is being removed"):
        ports.storage_configs.change(config, StorageConfigChange(is_active=True))
    changed = ports.storage_configs.change(config, StorageConfigChange(time_zone="Asia/Tokyo"))
    assert (changed.is_active, changed.time_zone) == (False, "Asia/Tokyo")
    ports.storage_configs.remove(config)
    assert ports.storage_configs.find(config) is None


@pytest.mark.usefixtures("small_batches")
def test_all_items_go_and_the_unfinished_ones_are_told(
    ports: AccountsPorts, engine: Engine
) -> None:
    ada = ports.user("ada")
    config, other = (config_with_items(ports, engine, ada.id, name) for name in ("a", "b"))
    ports.storage_configs.remove(config)
    assert count(engine, "work_items") == 30
    assert count(engine, "work_item_removals") == 5
    with pytest.raises(NotFound):
        ports.storage_configs.remove(config)
    ports.storage_configs.remove(other)
    assert count(engine, "work_items") == 0


@pytest.mark.usefixtures("small_batches")
def test_a_table_that_is_added_later_is_emptied_too(ports: AccountsPorts, engine: Engine) -> None:
    ada = ports.user("ada")
    config = config_with_items(ports, engine, ada.id, "a")
    with engine.begin() as connection:
        connection.execute(
            text(
                'CREATE TABLE "Odd name" (n int, "the config" uuid NOT NULL'
                " REFERENCES storage_configs (id) ON DELETE CASCADE)"
            )
        )
        connection.execute(
            text('INSERT INTO "Odd name" SELECT n, :config FROM generate_series(1, 25) n'),
            {"config": config},
        )
    ports.storage_configs.remove(config)
    assert count(engine, '"Odd name"') == 0


@pytest.mark.usefixtures("small_batches")
def test_an_interrupted_removal_leaves_it_inactive_and_goes_on_the_next_time(
    ports: AccountsPorts, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = ports.user("ada")
    config = config_with_items(ports, engine, ada.id, "a")

    def interrupted(*_: object) -> None:
        raise TimeoutError

    with monkeypatch.context() as patched:
        patched.setattr(config_removal, "_empty", interrupted)
        with pytest.raises(TimeoutError):
            ports.storage_configs.remove(config)
    assert count(engine, "storage_configs WHERE NOT is_active") == 1
    assert count(engine, "work_items WHERE finished_at IS NULL") == 0
    ports.storage_configs.remove(config)
    assert count(engine, "storage_configs") == 0


@pytest.mark.usefixtures("small_batches")
def test_a_user_goes_with_all_its_configs(ports: AccountsPorts, engine: Engine) -> None:
    ada, bob = ports.user("ada"), ports.user("bob")
    for name in ("a", "b"):
        config_with_items(ports, engine, ada.id, name)
    config_with_items(ports, engine, bob.id, "c")
    ports.users.remove(ada.id)
    assert count(engine, "users") == 1
    assert count(engine, "work_items") == 30
    assert count(engine, "work_item_removals") == 10


@pytest.mark.usefixtures("small_batches")
def test_an_interrupted_removal_of_a_user_has_ended_its_log_ins(
    ports: AccountsPorts, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = ports.user("ada")
    token, successor = (bytes([n]) * 32 for n in (1, 2))
    ports.refresh_tokens.start_family(ada.id, token, timedelta(days=1))
    config_with_items(ports, engine, ada.id, "a")

    def interrupted(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(config_removal, "_empty", interrupted)
    with pytest.raises(TimeoutError):
        ports.users.remove(ada.id)
    ports.users.change(ada.id, UserChange(is_disabled=False))
    assert ports.refresh_tokens.exchange(token, successor, timedelta(days=1)) is None


@pytest.mark.usefixtures("small_batches")
def test_a_user_that_became_the_last_admin_during_its_removal_stays(
    ports: AccountsPorts, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, other = ports.user("root", admin=True), ports.user("other", admin=True)
    config_with_items(ports, engine, other.id, "a")

    def meanwhile(*_: object) -> bool:
        ports.users.change(other.id, UserChange(is_disabled=False))
        ports.users.change(root.id, UserChange(is_disabled=True))
        return False

    monkeypatch.setattr(config_removal, "_empty", meanwhile)
    with pytest.raises(LastAdmin):
        ports.users.remove(other.id)
    assert ports.users.find(other.id) is not None


def test_removals_and_changes_that_race_end_with_the_user_gone(ports: AccountsPorts) -> None:
    for n in range(15):
        user = ports.user(f"user{n}")
        ports.refresh_tokens.start_family(user.id, n.to_bytes(32, "big"), timedelta(days=1))
        calls: list[Callable[[], object]] = [
            partial(ports.users.remove, user.id),
            partial(ports.users.remove, user.id),
            partial(ports.users.change, user.id, UserChange(is_disabled=False)),
        ]
        found = race(calls)
        assert None in found[:2]
        assert ports.users.find(user.id) is None
