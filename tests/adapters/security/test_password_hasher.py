"""Password hashes by argon2id."""

import pytest

from adapters.security.password_hasher import Argon2PasswordHasher


@pytest.fixture
def hasher() -> Argon2PasswordHasher:
    return Argon2PasswordHasher()


def test_a_hash_is_argon2id_with_a_salt_of_its_own(hasher: Argon2PasswordHasher) -> None:
    first, second = hasher.hash("a password"), hasher.hash("a password")
    assert first.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert first != second
    assert hasher.matches("a password", first)
    assert hasher.matches("a password", second)


def test_another_password_does_not_match(hasher: Argon2PasswordHasher) -> None:
    assert not hasher.matches("b password", hasher.hash("a password"))


@pytest.mark.parametrize("unreadable", ["", "plain", "$argon2id$v=19$", "hash of é"])
def test_an_unreadable_hash_matches_nothing(hasher: Argon2PasswordHasher, unreadable: str) -> None:
    assert not hasher.matches("a password", unreadable)


def test_the_decoy_costs_what_any_hash_costs(hasher: Argon2PasswordHasher) -> None:
    assert hasher.decoy().startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert not hasher.matches("", hasher.decoy())
