"""What every implementation of Users promises."""

from datetime import timedelta
from uuid import uuid4

import pytest

from application.ports.page import PageRequest
from application.ports.users import NewUser, UserChange
from domain.errors import Conflict, NotFound
from domain.identity.user import LastAdmin
from tests.contracts.accounts_ports import AccountsPorts

DAY = timedelta(days=1)


def new(name: str, email: str) -> NewUser:
    return NewUser(name=name, email=email, password_hash="hash", is_admin=False)


def test_a_user_is_found_as_it_was_added(accounts: AccountsPorts) -> None:
    added = accounts.users.add(
        NewUser(name="Ada", email="Ada@example.org", password_hash="hash", is_admin=True)
    )
    assert (added.name, added.email, added.is_admin, added.is_disabled) == (
        *("Ada", "Ada@example.org"),
        *(True, False),
    )
    assert accounts.users.find(added.id) == added


def test_nobody_is_found_by_an_unknown_id(accounts: AccountsPorts) -> None:
    assert accounts.users.find(uuid4()) is None


@pytest.mark.parametrize("login", ["ada", "ADA", "ada@example.org", "Ada@EXAMPLE.org"])
def test_credentials_are_found_by_name_or_email_whatever_the_case(
    accounts: AccountsPorts, login: str
) -> None:
    ada = accounts.user("ada")
    accounts.user("bob")
    found = accounts.users.find_credentials(login)
    assert found is not None
    assert (found.user, found.password_hash) == (ada, "hash of ada")


def test_nobody_has_an_unknown_login(accounts: AccountsPorts) -> None:
    accounts.user("ada")
    assert accounts.users.find_credentials("ad_") is None


def test_a_name_is_unique_whatever_the_case(accounts: AccountsPorts) -> None:
    accounts.user("ada")
    with pytest.raises(Conflict, match=r"^name: another user has it$"):
        accounts.users.add(new("ADA", "other@example.org"))


def test_an_email_is_unique_whatever_the_case(accounts: AccountsPorts) -> None:
    accounts.user("ada")
    with pytest.raises(Conflict, match=r"^email: another user has it$"):
        accounts.users.add(new("other", "ADA@example.org"))


def test_pages_are_in_the_order_of_adding(accounts: AccountsPorts) -> None:
    for name in ("a", "b", "c"):
        accounts.user(name)
    page = accounts.users.page(PageRequest(number=2, size=2))
    assert [user.name for user in page.items] == ["c"]
    assert page.total == 3


def test_many_are_found_at_once(accounts: AccountsPorts) -> None:
    ada, bob = accounts.user("ada"), accounts.user("bob")
    accounts.user("carol")
    found = accounts.users.find_many(frozenset({ada.id, bob.id, uuid4()}))
    assert found == {ada.id: ada, bob.id: bob}


def test_a_change_leaves_the_rest_as_it_was(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    changed = accounts.users.change(ada.id, UserChange(email="new@example.org"))
    assert (changed.name, changed.email) == ("ada", "new@example.org")
    assert accounts.users.find(ada.id) == changed


def test_a_change_of_nothing_answers_the_user(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    assert accounts.users.change(ada.id, UserChange()) == ada


def test_a_changed_password_hash_is_the_one_that_counts(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada")
    accounts.users.change(ada.id, UserChange(password_hash="another"))
    found = accounts.users.find_credentials("ada")
    assert found is not None
    assert found.password_hash == "another"


def test_a_change_cannot_take_anothers_name(accounts: AccountsPorts) -> None:
    accounts.user("ada")
    bob = accounts.user("bob")
    with pytest.raises(Conflict, match=r"^name: another user has it$"):
        accounts.users.change(bob.id, UserChange(name="Ada"))


@pytest.mark.parametrize(
    "change", [UserChange(name="x"), UserChange(is_disabled=True), UserChange(is_admin=False)]
)
def test_nobody_can_be_changed_by_an_unknown_id(
    accounts: AccountsPorts, change: UserChange
) -> None:
    with pytest.raises(NotFound, match="there is no user"):
        accounts.users.change(uuid4(), change)


@pytest.mark.parametrize("change", [UserChange(is_disabled=True), UserChange(is_admin=False)])
def test_the_last_enabled_admin_keeps_its_power(
    accounts: AccountsPorts, change: UserChange
) -> None:
    ada = accounts.user("ada", admin=True)
    bob = accounts.user("bob", admin=True)
    accounts.user("carol")
    accounts.users.change(bob.id, UserChange(is_disabled=True))
    with pytest.raises(LastAdmin):
        accounts.users.change(ada.id, change)
    assert accounts.users.find(ada.id) == ada


def test_one_of_two_admins_may_go(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada", admin=True)
    accounts.user("bob", admin=True)
    assert not accounts.users.change(ada.id, UserChange(is_admin=False)).is_admin


def test_the_last_enabled_admin_cannot_be_deleted(accounts: AccountsPorts) -> None:
    ada = accounts.user("ada", admin=True)
    with pytest.raises(LastAdmin):
        accounts.users.remove(ada.id)
    assert accounts.users.find(ada.id) == ada


def test_a_removed_user_is_gone(accounts: AccountsPorts) -> None:
    accounts.user("ada", admin=True)
    bob = accounts.user("bob", admin=True)
    accounts.users.remove(bob.id)
    assert accounts.users.find(bob.id) is None
    with pytest.raises(NotFound, match=f"^there is no user {bob.id}$"):
        accounts.users.remove(bob.id)


@pytest.mark.parametrize(
    "change", [UserChange(is_disabled=True), UserChange(password_hash="another")]
)
def test_disabling_or_a_new_password_ends_log_ins(
    accounts: AccountsPorts, change: UserChange
) -> None:
    ada, bob = accounts.user("ada"), accounts.user("bob")
    accounts.refresh_tokens.start_family(ada.id, b"a" * 32, DAY)
    accounts.refresh_tokens.start_family(bob.id, b"b" * 32, DAY)
    accounts.users.change(ada.id, change)
    accounts.users.change(ada.id, UserChange(is_disabled=False))
    assert accounts.refresh_tokens.exchange(b"a" * 32, b"c" * 32, DAY) is None
    assert accounts.refresh_tokens.exchange(b"b" * 32, b"d" * 32, DAY) == bob.id
