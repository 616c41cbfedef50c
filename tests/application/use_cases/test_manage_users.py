"""Adding, listing, changing and deleting users."""

import pytest

from application.ports.page import PageRequest
from application.use_cases.manage_users import (
    AddUser,
    ChangeUser,
    ListUsers,
    RemoveUser,
    RequestedUserChange,
)
from domain.errors import InvalidInput, NotFound
from tests.application.use_cases.conftest import World


@pytest.fixture
def change(world: World) -> ChangeUser:
    return ChangeUser(users=world.users, password_hasher=world.password_hasher)


@pytest.mark.parametrize("is_admin", [True, False])
def test_a_user_is_added_with_the_hash_of_its_password(world: World, is_admin: bool) -> None:
    add = AddUser(users=world.users, password_hasher=world.password_hasher)
    user = add(
        name="Zoe\u0308",
        email="zoe\u0308@example.org",
        password="a password",
        is_admin=is_admin,
    )
    assert (user.name, user.email) == ("Zo\u00eb", "zo\u00eb@example.org")
    assert (user.is_admin, user.is_disabled) == (is_admin, False)
    assert world.accounts.password_hashes[user.id] == "hash of a password"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"name": ""}, "name"), ({"email": "x"}, "email"), ({"password": "short"}, "password")],
)
def test_a_user_that_breaks_a_rule_is_not_added(
    world: World, wrong: dict[str, str], field: str
) -> None:
    add = AddUser(users=world.users, password_hasher=world.password_hasher)
    values = {"name": "ada", "email": "ada@example.org", "password": "a password", **wrong}
    with pytest.raises(InvalidInput) as refusal:
        add(**values, is_admin=False)
    assert refusal.value.field == field
    assert world.accounts.users == {}


def test_a_page_of_the_users_is_listed(world: World) -> None:
    world.user("ada")
    bob = world.user("bob")
    page = ListUsers(users=world.users)(PageRequest(number=2, size=1))
    assert (page.items, page.total) == ((bob,), 2)


def test_all_values_can_be_changed(world: World, change: ChangeUser) -> None:
    ada = world.user("ada")
    changed = change(
        ada.id,
        RequestedUserChange(
            name="Zoe\u0308",
            email="zoe\u0308@example.org",
            password="another password",
            is_admin=True,
            is_disabled=True,
        ),
    )
    assert (changed.name, changed.email) == ("Zo\u00eb", "zo\u00eb@example.org")
    assert (changed.is_admin, changed.is_disabled) == (True, True)
    assert world.users.find(ada.id) == changed
    assert world.accounts.password_hashes[ada.id] == "hash of another password"


def test_what_is_not_named_stays(world: World, change: ChangeUser) -> None:
    ada = world.user("ada")
    assert change(ada.id, RequestedUserChange()) == ada
    assert world.accounts.password_hashes[ada.id] == "hash of ada's password"


@pytest.mark.parametrize(
    ("requested", "field"),
    [
        (RequestedUserChange(name=""), "name"),
        (RequestedUserChange(email=""), "email"),
        (RequestedUserChange(password=""), "password"),
    ],
)
def test_a_change_that_breaks_a_rule_changes_nothing(
    world: World, change: ChangeUser, requested: RequestedUserChange, field: str
) -> None:
    ada = world.user("ada")
    with pytest.raises(InvalidInput) as refusal:
        change(ada.id, requested)
    assert refusal.value.field == field
    assert world.users.find(ada.id) == ada


def test_a_removed_user_is_gone(world: World) -> None:
    ada = world.user("ada")
    remove = RemoveUser(users=world.users)
    remove(ada.id)
    assert world.users.find(ada.id) is None
    with pytest.raises(NotFound):
        remove(ada.id)
