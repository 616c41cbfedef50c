"""Names and passwords for tokens; tokens for tokens."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NoReturn
from uuid import UUID

import pytest
from typing_extensions import override

from application.ports.log_in_attempts import Admission
from application.ports.users import UserChange
from application.use_cases.log_out import LogOut
from application.use_cases.sign_token_pair import TokenPair
from domain.errors import DatabaseUnavailable
from domain.identity.access import NotAuthenticated
from domain.identity.log_in_throttle import Scope, TooManyAttempts
from domain.identity.refresh_token import digest_of
from tests.application.use_cases.conftest import World
from tests.fakes.log_in_attempts import InMemoryLogInAttempts
from tests.fakes.refresh_tokens import InMemoryRefreshTokens

WRONG = r"^the name or the password is wrong$"
INVALID = r"^the refresh token is not valid$"
HOME = "192.0.2.1"


def log_in(world: World, login: str, password: str, network: str = HOME) -> TokenPair:
    return world.log_in(login, password, network=network)


@pytest.mark.parametrize("login", ["ada", "ADA", "ada@example.org"])
def test_a_log_in_answers_a_pair_of_tokens(world: World, login: str) -> None:
    ada = world.user("ada")
    world.clock.instant = datetime(2026, 3, 1, 12, 0, 0, 999_999, tzinfo=UTC)
    pair = log_in(world, login, "ada's password")
    claims = world.access_tokens.signed[pair.access_token]
    assert claims.user_id == ada.id
    assert claims.issued_at == datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert claims.expires_at == pair.expires_at == datetime(2026, 3, 1, 12, 15, tzinfo=UTC)
    kept = world.accounts.tokens[digest_of(pair.refresh_token)]
    assert (kept.user_id, kept.expires_at) == (ada.id, world.clock.now() + timedelta(days=30))


def test_a_login_is_found_however_its_letters_were_typed(world: World) -> None:
    world.user("zo\u00eb")
    assert log_in(world, "zoe\u0308", "zo\u00eb's password").access_token


def test_a_wrong_password_is_refused_and_leaves_no_token(world: World) -> None:
    world.user("ada")
    with pytest.raises(NotAuthenticated, match=WRONG):
        log_in(world, "ada", "bob's password")
    assert world.accounts.tokens == {}
    assert world.password_hasher.checked == [("bob's password", "hash of ada's password")]


def test_a_wrong_name_costs_the_check_of_a_password_too(world: World) -> None:
    with pytest.raises(NotAuthenticated, match=WRONG):
        log_in(world, "nobody", "a password")
    assert world.password_hasher.checked == [("a password", "decoy")]


def test_the_decoys_password_logs_nobody_in(world: World) -> None:
    world.password_hasher.decoy = lambda: "hash of a password"  # type: ignore[method-assign]
    with pytest.raises(NotAuthenticated, match=WRONG):
        log_in(world, "nobody", "a password")


def test_a_disabled_user_is_refused_in_the_same_words_for_the_same_work(world: World) -> None:
    ada = world.user("ada")
    world.users.change(ada.id, UserChange(is_disabled=True))
    world.log_in = replace(world.log_in, refresh_tokens=NoMoreAsked(world.accounts))
    with pytest.raises(NotAuthenticated, match=WRONG):
        log_in(world, "ada", "ada's password")
    assert world.password_hasher.checked == [("ada's password", "hash of ada's password")]


class NoMoreAsked(InMemoryRefreshTokens):
    @override
    def start_family(self, user_id: UUID, digest: bytes, lifetime: timedelta) -> NoReturn:
        raise AssertionError("a disabled user costs a statement more than others")


def test_a_user_who_is_disabled_meanwhile_is_refused(world: World) -> None:
    world.user("ada")
    world.log_in = replace(world.log_in, refresh_tokens=DisabledMeanwhile(world.accounts))
    with pytest.raises(NotAuthenticated, match=WRONG):
        log_in(world, "ada", "ada's password")
    assert world.attempts.known == {}


class DisabledMeanwhile(InMemoryRefreshTokens):
    @override
    def start_family(self, user_id: UUID, digest: bytes, lifetime: timedelta) -> bool:
        return False


@pytest.mark.parametrize("name", ["ada", "nobody"])
def test_who_guesses_waits_and_costs_no_hash(world: World, name: str) -> None:
    world.user("ada")
    for _ in range(2):
        with pytest.raises(NotAuthenticated, match=WRONG):
            log_in(world, name, "a guess")
    with pytest.raises(TooManyAttempts):
        log_in(world, name, "ada's password")
    assert [password for password, _ in world.password_hasher.checked] == ["a guess"] * 2
    world.clock.move(timedelta(seconds=10))
    with pytest.raises(NotAuthenticated, match=WRONG):
        log_in(world, name, "a guess")


def test_a_login_counts_as_one_however_its_letters_were_typed(world: World) -> None:
    for typed in ("zo\u00eb", "zoe\u0308"):
        with pytest.raises(NotAuthenticated):
            log_in(world, typed, "a guess")
    with pytest.raises(TooManyAttempts):
        log_in(world, "zo\u00eb", "a guess")


def test_a_log_in_clears_its_pair_and_makes_the_address_known(world: World) -> None:
    ada = world.user("ada")
    with pytest.raises(NotAuthenticated):
        log_in(world, "ada", "a guess")
    log_in(world, "ada", "ada's password")
    assert (Scope.PAIR, f"ada\n{HOME}") not in world.attempts.tallies
    assert world.attempts.known == {(ada.id, HOME): world.clock.now()}
    for number in range(3):
        with pytest.raises((NotAuthenticated, TooManyAttempts)):
            log_in(world, "ada", "a guess", f"198.51.100.{number}")
    with pytest.raises(TooManyAttempts):
        log_in(world, "ada", "ada's password", "198.51.100.9")
    assert log_in(world, "ada", "ada's password").access_token


def test_a_refresh_answers_a_new_pair_for_the_same_user(world: World) -> None:
    ada = world.user("ada")
    first = log_in(world, "ada", "ada's password")
    world.clock.move(timedelta(minutes=20))
    second = world.refresh(first.refresh_token)
    assert second.refresh_token != first.refresh_token
    assert world.access_tokens.signed[second.access_token].user_id == ada.id
    assert second.expires_at == datetime(2026, 3, 1, 12, 35, tzinfo=UTC)
    kept = world.accounts.tokens[digest_of(second.refresh_token)]
    assert kept.expires_at == world.clock.now() + timedelta(days=30)


def test_an_unknown_or_used_refresh_token_is_refused(world: World) -> None:
    world.user("ada")
    first = log_in(world, "ada", "ada's password")
    world.refresh(first.refresh_token)
    for token in ("unknown", first.refresh_token):
        with pytest.raises(NotAuthenticated, match=INVALID):
            world.refresh(token)


def test_a_log_out_ends_the_family(world: World) -> None:
    world.user("ada")
    first = log_in(world, "ada", "ada's password")
    second = world.refresh(first.refresh_token)
    LogOut(refresh_tokens=world.refresh_tokens)(first.refresh_token)
    with pytest.raises(NotAuthenticated, match=INVALID):
        world.refresh(second.refresh_token)


class Away(InMemoryRefreshTokens):
    @override
    def start_family(self, user_id: UUID, digest: bytes, lifetime: timedelta) -> bool:
        raise DatabaseUnavailable("away")


def test_an_outage_is_no_failed_log_in(world: World) -> None:
    world.user("ada")
    during = replace(world.log_in, refresh_tokens=Away(world.accounts))
    for _ in range(30):
        with pytest.raises(DatabaseUnavailable):
            during("ada", "ada's password", network=HOME)
    assert world.attempts.tallies == {}
    assert log_in(world, "ada", "ada's password").access_token


def test_where_nothing_can_be_taken_back_the_outage_is_told_all_the_same(world: World) -> None:
    class Gone(InMemoryLogInAttempts):
        @override
        def withdrawn(self, admission: Admission) -> None:
            raise DatabaseUnavailable("gone too")

    world.user("ada")
    during = replace(
        world.log_in, refresh_tokens=Away(world.accounts), attempts=Gone(world.accounts)
    )
    with pytest.raises(DatabaseUnavailable, match=r"^away$"):
        during("ada", "ada's password", network=HOME)
