"""Rules for names, addresses and passwords."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain.errors import InvalidInput
from domain.identity.user import (
    LastAdmin,
    User,
    checked_email,
    checked_name,
    checked_password,
    composed_login,
)


def user(*, is_admin: bool, is_disabled: bool) -> User:
    return User(
        id=UUID(int=1),
        name="ada",
        email="ada@example.org",
        is_admin=is_admin,
        is_disabled=is_disabled,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("is_admin", "is_disabled", "expected"),
    [(True, False, True), (True, True, False), (False, False, False), (False, True, False)],
)
def test_only_an_enabled_admin_can_administer(
    is_admin: bool, is_disabled: bool, expected: bool
) -> None:
    assert user(is_admin=is_admin, is_disabled=is_disabled).can_administer() is expected


@pytest.mark.parametrize("name", ["a", "Ada Lovelace", "x" * 100, "Ünïcødé 名前", "o'hara-3"])
def test_a_name_in_order_stays_as_it_is(name: str) -> None:
    assert checked_name(name) == name


def test_a_name_is_kept_in_composed_form() -> None:
    assert checked_name("Zoe\u0308") == "Zo\u00eb"
    assert composed_login("Zoe\u0308") == "Zo\u00eb"


def test_a_name_is_measured_in_composed_form() -> None:
    assert len(checked_name("e\u0308" * 100)) == 100


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "name: must not be empty"),
        ("x" * 101, "name: must have at most 100 characters"),
        ("a@b", "name: must not contain @ (that would make it an e-mail address)"),
        (" ada", "name: must not begin or end with a space"),
        ("ada ", "name: must not begin or end with a space"),
        ("a\tb", "name: must not contain control or invisible characters"),
        ("a\0b", "name: must not contain control or invisible characters"),
        ("a\u200bb", "name: must not contain control or invisible characters"),
        ("a\ud800b", "name: must not contain control or invisible characters"),
        ("a\u2028b", "name: must not contain control or invisible characters"),
    ],
)
def test_a_bad_name_is_refused(name: str, message: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_name(name)
    assert str(refusal.value) == message
    assert refusal.value.field == "name"


@pytest.mark.parametrize("email", ["a@b", "Ada.Lovelace+x@example.org", "x" * 314 + "@b.org"])
def test_an_address_in_order_stays_as_it_is(email: str) -> None:
    assert checked_email(email) == email


def test_an_address_is_kept_in_composed_form() -> None:
    assert checked_email("zoe\u0308@example.org") == "zo\u00eb@example.org"


@pytest.mark.parametrize("email", ["@b", "a@", "@", "ab", "a@b@c", "a b@c", "a@b c", "a@b\u3000c"])
def test_what_is_no_address_is_refused(email: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_email(email)
    assert str(refusal.value) == "email: must be an e-mail address such as alice@example.org"
    assert refusal.value.field == "email"


@pytest.mark.parametrize(
    ("email", "message"),
    [
        ("", "email: must not be empty"),
        ("x" * 319 + "@b", "email: must have at most 320 characters"),
        ("a\0@b", "email: must not contain control or invisible characters"),
    ],
)
def test_an_address_that_cannot_be_kept_is_refused(email: str, message: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_email(email)
    assert str(refusal.value) == message


@pytest.mark.parametrize("password", ["8 chars.", "x" * 1024, "   \0    "])
def test_a_password_is_any_text_within_the_limits(password: str) -> None:
    assert checked_password(password) == password


@pytest.mark.parametrize(
    ("password", "message"),
    [
        ("7 chars", "password: must have at least 8 characters"),
        ("", "password: must have at least 8 characters"),
        ("x" * 1025, "password: must have at most 1024 characters"),
    ],
)
def test_a_password_outside_the_limits_is_refused(password: str, message: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_password(password)
    assert str(refusal.value) == message


def test_the_last_admin_is_told_why_it_stays() -> None:
    assert str(LastAdmin()) == "the last enabled admin cannot be disabled, demoted or deleted"
