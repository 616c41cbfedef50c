"""Who is behind an access token."""

from datetime import UTC, datetime, timedelta

import pytest

from application.ports.users import UserChange
from application.use_cases.authenticate import Authenticate
from domain.identity.access import NotAuthenticated
from tests.application.use_cases.conftest import World


@pytest.fixture
def authenticate(world: World) -> Authenticate:
    return Authenticate(access_tokens=world.access_tokens, users=world.users, clock=world.clock)


@pytest.fixture
def token(world: World) -> str:
    world.user("ada", admin=True)
    world.user("bob", admin=True)
    return world.log_in("ada", "ada's password", network="192.0.2.1").access_token


def test_the_caller_is_the_user_as_it_is_now(
    world: World, authenticate: Authenticate, token: str
) -> None:
    ada = authenticate(token).user
    world.users.change(ada.id, UserChange(is_admin=False))
    caller = authenticate(token)
    assert (caller.user.name, caller.user.is_admin) == ("ada", False)
    assert caller.token_expires_at == datetime(2026, 3, 1, 12, 15, tzinfo=UTC)


def test_a_foreign_token_is_refused(authenticate: Authenticate) -> None:
    with pytest.raises(NotAuthenticated, match=r"^the access token is not valid$"):
        authenticate("nonsense")


def test_a_token_ends_at_the_instant_that_it_names(
    world: World, authenticate: Authenticate, token: str
) -> None:
    world.clock.move(timedelta(minutes=15) - timedelta(microseconds=1))
    assert authenticate(token).user.name == "ada"
    world.clock.move(timedelta(microseconds=1))
    with pytest.raises(NotAuthenticated, match=r"^the access token has expired$"):
        authenticate(token)


def test_a_disabled_users_token_is_refused(
    world: World, authenticate: Authenticate, token: str
) -> None:
    world.users.change(authenticate(token).user.id, UserChange(is_disabled=True))
    with pytest.raises(NotAuthenticated, match=r"^the access token's user may not log in$"):
        authenticate(token)


def test_a_deleted_users_token_is_refused(
    world: World, authenticate: Authenticate, token: str
) -> None:
    world.users.remove(authenticate(token).user.id)
    with pytest.raises(NotAuthenticated, match=r"^the access token's user may not log in$"):
        authenticate(token)
