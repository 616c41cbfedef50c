"""Names and passwords for tokens; tokens for tokens."""

from datetime import UTC, datetime, timedelta

import pytest

from application.ports.users import UserChange
from application.use_cases.log_out import LogOut
from domain.identity.access import NotAuthenticated
from domain.identity.refresh_token import digest_of
from tests.application.use_cases.conftest import World

WRONG = r"^the name or the password is wrong$"
INVALID = r"^the refresh token is not valid$"


@pytest.mark.parametrize("login", ["ada", "ADA", "ada@example.org"])
def test_a_log_in_answers_a_pair_of_tokens(world: World, login: str) -> None:
    ada = world.user("ada")
    world.clock.instant = datetime(2026, 3, 1, 12, 0, 0, 999_999, tzinfo=UTC)
    pair = world.log_in(login, "ada's password")
    claims = world.access_tokens.signed[pair.access_token]
    assert claims.user_id == ada.id
    assert claims.issued_at == datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert claims.expires_at == pair.expires_at == datetime(2026, 3, 1, 12, 15, tzinfo=UTC)
    kept = world.accounts.tokens[digest_of(pair.refresh_token)]
    assert (kept.user_id, kept.expires_at) == (ada.id, world.clock.now() + timedelta(days=30))


def test_a_login_is_found_however_its_letters_were_typed(world: World) -> None:
    world.user("zo\u00eb")
    assert world.log_in("zoe\u0308", "zo\u00eb's password").access_token


def test_a_wrong_password_is_refused_and_leaves_no_token(world: World) -> None:
    world.user("ada")
    with pytest.raises(NotAuthenticated, match=WRONG):
        world.log_in("ada", "bob's password")
    assert world.accounts.tokens == {}
    assert world.password_hasher.checked == [("bob's password", "hash of ada's password")]


def test_a_wrong_name_costs_the_check_of_a_password_too(world: World) -> None:
    with pytest.raises(NotAuthenticated, match=WRONG):
        world.log_in("nobody", "a password")
    assert world.password_hasher.checked == [("a password", "decoy")]


def test_the_decoys_password_logs_nobody_in(world: World) -> None:
    world.password_hasher.decoy = lambda: "hash of a password"  # type: ignore[method-assign]
    with pytest.raises(NotAuthenticated, match=WRONG):
        world.log_in("nobody", "a password")


def test_a_disabled_user_is_refused_in_the_same_words(world: World) -> None:
    ada = world.user("ada")
    world.users.change(ada.id, UserChange(is_disabled=True))
    with pytest.raises(NotAuthenticated, match=WRONG):
        world.log_in("ada", "ada's password")


def test_a_refresh_answers_a_new_pair_for_the_same_user(world: World) -> None:
    ada = world.user("ada")
    first = world.log_in("ada", "ada's password")
    world.clock.move(timedelta(minutes=20))
    second = world.refresh(first.refresh_token)
    assert second.refresh_token != first.refresh_token
    assert world.access_tokens.signed[second.access_token].user_id == ada.id
    assert second.expires_at == datetime(2026, 3, 1, 12, 35, tzinfo=UTC)
    kept = world.accounts.tokens[digest_of(second.refresh_token)]
    assert kept.expires_at == world.clock.now() + timedelta(days=30)


def test_an_unknown_or_used_refresh_token_is_refused(world: World) -> None:
    world.user("ada")
    first = world.log_in("ada", "ada's password")
    world.refresh(first.refresh_token)
    for token in ("unknown", first.refresh_token):
        with pytest.raises(NotAuthenticated, match=INVALID):
            world.refresh(token)


def test_a_log_out_ends_the_family(world: World) -> None:
    world.user("ada")
    first = world.log_in("ada", "ada's password")
    second = world.refresh(first.refresh_token)
    LogOut(refresh_tokens=world.refresh_tokens)(first.refresh_token)
    with pytest.raises(NotAuthenticated, match=INVALID):
        world.refresh(second.refresh_token)
