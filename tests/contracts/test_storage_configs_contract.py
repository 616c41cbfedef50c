"""What every implementation of StorageConfigs promises."""

from uuid import UUID, uuid4

import pytest

from application.ports.page import PageRequest
from application.ports.storage_configs import NewStorageConfig, StorageConfigChange
from domain.errors import InvalidInput, NotFound
from domain.library.storage_config import FolderTaken, StorageConfig
from tests.contracts.accounts_ports import AccountsPorts


def add(accounts: AccountsPorts, user_id: UUID, root_path: str) -> StorageConfig:
    return accounts.storage_configs.add(
        NewStorageConfig(user_id=user_id, root_path=root_path, time_zone="Europe/Berlin")
    )


def listed(accounts: AccountsPorts) -> list[StorageConfig]:
    return list(accounts.storage_configs.page(PageRequest(number=1, size=50)).items)


def test_a_new_config_is_active_and_listed(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    config = add(accounts, ada.id, "/photos/ada")
    assert (config.user_id, config.root_path, config.time_zone, config.is_active) == (
        *(ada.id, "/photos/ada"),
        *("Europe/Berlin", True),
    )
    assert listed(accounts) == [config]


@pytest.mark.parametrize("path", ["/photos/ada", "/photos", "/photos/ada/2020", "/"])
def test_a_folder_belongs_to_one_config_only(accounts: AccountsPorts, path: str) -> None:
    ada, bob = accounts.user("ada"), accounts.user("bob")
    first = add(accounts, ada.id, "/photos/ada")
    with pytest.raises(FolderTaken) as refusal:
        add(accounts, bob.id, path)
    assert refusal.value.other == first.id
    assert listed(accounts) == [first]


def test_neighbours_with_a_common_beginning_do_not_overlap(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    add(accounts, ada.id, "/photos/ada")
    assert add(accounts, ada.id, "/photos/ada2").root_path == "/photos/ada2"


def test_a_folder_of_nobody_is_refused(accounts: AccountsPorts) -> None:
    nobody = uuid4()
    with pytest.raises(InvalidInput, match=f"^userId: there is no user {nobody}$"):
        add(accounts, nobody, "/photos")


def test_pages_are_in_the_order_of_registering(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    for name in ("a", "b", "c"):
        add(accounts, ada.id, f"/photos/{name}")
    page = accounts.storage_configs.page(PageRequest(number=2, size=2))
    assert [config.root_path for config in page.items] == ["/photos/c"]
    assert page.total == 3


def test_a_page_of_one_owner_counts_and_shows_that_owners_configs(accounts: AccountsPorts) -> None:
    ada, bob = accounts.user("ada"), accounts.user("bob")
    first = add(accounts, ada.id, "/photos/a")
    add(accounts, bob.id, "/photos/b")
    second = add(accounts, ada.id, "/photos/c")
    page = accounts.storage_configs.page(PageRequest(number=1, size=50), ada.id)
    assert (page.items, page.total) == ((first, second), 2)
    page = accounts.storage_configs.page(PageRequest(number=2, size=1), ada.id)
    assert (page.items, page.total) == ((second,), 2)


def test_a_config_is_found_by_its_id(accounts: AccountsPorts) -> None:
    config = add(accounts, accounts.user("ada").id, "/photos")
    assert accounts.storage_configs.find(config.id) == config
    assert accounts.storage_configs.find(uuid4()) is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (StorageConfigChange(is_active=False), ("Europe/Berlin", False)),
        (StorageConfigChange(time_zone="Asia/Tokyo"), ("Asia/Tokyo", True)),
        (StorageConfigChange(), ("Europe/Berlin", True)),
    ],
)
def test_a_change_leaves_the_rest_as_it_was(
    accounts: AccountsPorts, change: StorageConfigChange, expected: tuple[str, bool]
) -> None:
    config = add(accounts, accounts.user("ada").id, "/photos")
    changed = accounts.storage_configs.change(config.id, change)
    assert (changed.time_zone, changed.is_active) == expected
    assert listed(accounts) == [changed]


def test_an_unknown_config_is_not_found(accounts: AccountsPorts) -> None:
    nothing = uuid4()
    with pytest.raises(NotFound, match=f"^there is no storage config {nothing}$"):
        accounts.storage_configs.change(nothing, StorageConfigChange(is_active=False))
    with pytest.raises(NotFound, match=f"^there is no storage config {nothing}$"):
        accounts.storage_configs.remove(nothing)


def test_a_removed_config_frees_its_folder(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    accounts.storage_configs.remove(add(accounts, ada.id, "/photos").id)
    assert listed(accounts) == []
    assert add(accounts, ada.id, "/photos").root_path == "/photos"


def test_configs_go_with_their_user(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    add(accounts, ada.id, "/photos")
    accounts.users.remove(ada.id)
    assert listed(accounts) == []
