"""Guessing passwords over HTTP; 5 free tries a pair, 20 a name, 50 an address, then a minute."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine, text

from domain.identity.user import User
from entrypoints.api.container import ApiContainer
from entrypoints.common.settings import LogInSettings, Settings
from tests.entrypoints.api.client import Answer, Client
from tests.fakes.security import InMemoryPasswordHasher

pytestmark = pytest.mark.postgres
HOME, AWAY = "192.0.2.1", "198.51.100.1"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """No wait may end while a slow machine is still at the guesses after it."""
    return settings.model_copy(update={"log_in": LogInSettings(first_wait_seconds=60)})


def log_in(client: Client, name: str, password: str, address: str) -> Answer:
    return client(
        "POST",
        "/api/v1/auth/login",
        json={"username": name, "password": password},
        headers={"X-Forwarded-For": address},
    )


def statuses(client: Client, name: str, times: int, address: str = AWAY) -> list[int]:
    return [log_in(client, name, "a guess", address).status for _ in range(times)]


@pytest.mark.usefixtures("admin")
def test_the_sixth_guess_waits_and_reads_alike_for_names_that_nobody_has(
    anonymous: Client,
) -> None:
    answers = []
    for number, name in enumerate(("root", "nobody")):
        address = f"198.51.100.{number}"
        assert statuses(anonymous, name, 5, address) == [401] * 5
        answers.append(log_in(anonymous, name, "a guess", address))
    for answer in answers:
        assert answer.status == 429
        seconds = int(answer.headers["retry-after"])
        assert 30 < seconds <= 60
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json == {
            "type": "about:blank",
            "title": "Too Many Requests",
            "status": 429,
            "detail": f"too many log-ins failed; try again in {seconds} s",
            "errors": [],
        }


@pytest.mark.usefixtures("admin")
def test_even_the_right_password_waits_and_costs_no_hash(
    anonymous: Client, container: ApiContainer
) -> None:
    hasher = container.password_hasher()
    assert isinstance(hasher, InMemoryPasswordHasher)
    statuses(anonymous, "root", 5)
    assert log_in(anonymous, "root", "root's password", AWAY).status == 429
    assert len(hasher.checked) == 5


@pytest.mark.usefixtures("admin")
def test_an_attack_from_many_addresses_does_not_lock_the_owner_out_at_home(
    anonymous: Client,
) -> None:
    assert log_in(anonymous, "root", "root's password", HOME).status == 200
    found = [statuses(anonymous, "root", 1, f"198.51.100.{n}")[0] for n in range(25)]
    assert found == [401] * 20 + [429] * 5
    assert log_in(anonymous, "root", "root's password", AWAY).status == 429
    assert log_in(anonymous, "root", "root's password", HOME).status == 200


@pytest.mark.usefixtures("admin")
def test_an_address_that_tries_many_names_waits(anonymous: Client) -> None:
    assert [statuses(anonymous, f"n{n}", 1)[0] for n in range(55)] == [401] * 50 + [429] * 5
    assert statuses(anonymous, "root", 1) == [429]
    assert statuses(anonymous, "root", 1, HOME) == [401]


def test_a_subnet_of_ipv6_is_one_address(anonymous: Client) -> None:
    addresses = [f"2001:db8:1:2::{n:x}" for n in range(6)]
    found = [statuses(anonymous, "nobody", 1, address)[0] for address in addresses]
    assert found == [401] * 5 + [429]
    assert statuses(anonymous, "nobody", 1, "2001:db8:1:3::1") == [401]


def test_a_refresh_goes_on_while_log_ins_wait(anonymous: Client, admin: User) -> None:
    tokens = anonymous.log_in(admin.name, "root's password")
    statuses(anonymous, "root", 6, "127.0.0.1")
    assert statuses(anonymous, "root", 1, "127.0.0.1") == [429]
    body = {"refreshToken": tokens["refreshToken"]}
    assert anonymous("POST", "/api/v1/auth/refresh", json=body).status == 200
    assert replace(anonymous, token=tokens["accessToken"])("GET", "/api/v1/admin/users").status == (
        200
    )


@pytest.mark.usefixtures("admin")
def test_the_wait_ends(anonymous: Client, engine: Engine) -> None:
    statuses(anonymous, "root", 5)
    with engine.begin() as connection:
        connection.execute(
            text("UPDATE log_in_failures SET last_failed_at = last_failed_at - interval '1 min'")
        )
    assert log_in(anonymous, "root", "root's password", AWAY).status == 200
    assert statuses(anonymous, "root", 5) == [401] * 5, "the log-in cleared its pair"
