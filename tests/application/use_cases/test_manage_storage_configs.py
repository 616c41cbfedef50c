"""Registering, listing, changing and deleting folders."""

import pytest

from application.ports.page import PageRequest
from application.ports.storage_configs import StorageConfigChange
from application.use_cases.manage_storage_configs import (
    AddStorageConfig,
    ChangeStorageConfig,
    ListStorageConfigs,
    RemoveStorageConfig,
)
from domain.errors import InvalidInput, NotFound
from domain.library.storage_config import StorageConfig
from tests.application.use_cases.conftest import World


@pytest.fixture
def add(world: World) -> AddStorageConfig:
    return AddStorageConfig(storage_configs=world.storage_configs, host_time_zone="Asia/Tokyo")


@pytest.fixture
def config(world: World, add: AddStorageConfig) -> StorageConfig:
    ada = world.user("ada")
    return add(user_id=ada.id, root_path="/photos//ada/", time_zone="Europe/Berlin")


def test_a_folder_is_registered_in_its_normal_form(world: World, config: StorageConfig) -> None:
    assert (config.root_path, config.time_zone, config.is_active) == (
        *("/photos/ada", "Europe/Berlin"),
        True,
    )
    assert world.accounts.users[config.user_id].name == "ada"


def test_dates_are_read_in_the_hosts_zone_unless_told(world: World, add: AddStorageConfig) -> None:
    ada = world.user("ada")
    assert add(user_id=ada.id, root_path="/a", time_zone=None).time_zone == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("root_path", "time_zone", "field"),
    [("photos", "UTC", "rootPath"), ("/photos", "", "timeZone"), ("/photos", "x", "timeZone")],
)
def test_a_folder_that_breaks_a_rule_is_not_registered(
    world: World, add: AddStorageConfig, root_path: str, time_zone: str, field: str
) -> None:
    ada = world.user("ada")
    with pytest.raises(InvalidInput) as refusal:
        add(user_id=ada.id, root_path=root_path, time_zone=time_zone)
    assert refusal.value.field == field
    assert world.accounts.configs == {}


def test_a_page_of_the_configs_is_listed(
    world: World, add: AddStorageConfig, config: StorageConfig
) -> None:
    second = add(user_id=config.user_id, root_path="/b", time_zone="UTC")
    page = ListStorageConfigs(storage_configs=world.storage_configs)(PageRequest(number=2, size=1))
    assert (page.items, page.total) == ((second,), 2)


def test_a_config_is_changed(world: World, config: StorageConfig) -> None:
    change = ChangeStorageConfig(storage_configs=world.storage_configs)
    changed = change(config.id, StorageConfigChange(time_zone="UTC", is_active=False))
    assert (changed.time_zone, changed.is_active) == ("UTC", False)
    assert change(config.id, StorageConfigChange()) == changed


def test_a_bad_time_zone_changes_nothing(world: World, config: StorageConfig) -> None:
    change = ChangeStorageConfig(storage_configs=world.storage_configs)
    with pytest.raises(InvalidInput, match=r"^timeZone: "):
        change(config.id, StorageConfigChange(time_zone="", is_active=False))
    assert world.accounts.configs[config.id] == config


def test_a_removed_config_is_gone(world: World, config: StorageConfig) -> None:
    remove = RemoveStorageConfig(storage_configs=world.storage_configs)
    remove(config.id)
    with pytest.raises(NotFound):
        remove(config.id)
