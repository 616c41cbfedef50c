"""Guesses at the same instant, and what of the counts stays in the database."""

from functools import partial
from uuid import UUID

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.log_in_attempts import PostgresLogInAttempts
from application.ports.log_in_attempts import Admission, LogInAttempt
from domain.identity.log_in_throttle import TooManyAttempts
from tests.adapters.postgres.racing import race
from tests.contracts.accounts_ports import in_postgres
from tests.fakes.log_in_attempts import rules

pytestmark = pytest.mark.postgres
MANY = 50


def attempt(login: str, network: str, user_id: UUID | None = None) -> LogInAttempt:
    return LogInAttempt(login=login, network=network, user_id=user_id)


def attempts(
    engine: Engine, *, pair: int = 99, address: int = 99, account: int = 99
) -> PostgresLogInAttempts:
    return PostgresLogInAttempts(
        engine=engine, rules=rules(pair=pair, address=address, account=account)
    )


def admitted(found: list[object]) -> int:
    assert all(isinstance(each, Admission | TooManyAttempts) for each in found)
    return sum(isinstance(each, Admission) for each in found)


def count(engine: Engine, table: str) -> int:
    with engine.connect() as connection:
        found: int = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
    return found


def test_fifty_guesses_at_once_get_no_more_tries_than_one_after_another(
    api_engine: Engine,
) -> None:
    by_pair = attempts(api_engine, pair=5)
    found = race([partial(by_pair.admit, attempt("ada", "192.0.2.1"))] * MANY)
    assert admitted(found) == 5
    by_address = attempts(api_engine, address=7)
    calls = [partial(by_address.admit, attempt(f"n{n}", "192.0.2.2")) for n in range(MANY)]
    assert admitted(race(calls)) == 7
    by_account = attempts(api_engine, account=6)
    calls = [partial(by_account.admit, attempt("bob", f"192.0.3.{n}")) for n in range(MANY)]
    assert admitted(race(calls)) == 6


def test_attempts_and_successes_across_accounts_and_addresses_never_deadlock(
    api_engine: Engine,
) -> None:
    ports = in_postgres(api_engine)
    users = [ports.user(f"user{n}") for n in range(3)]
    store = attempts(api_engine)

    def log_in(number: int) -> None:
        user = users[number % 3]
        store.succeeded(store.admit(attempt(user.name, f"192.0.2.{number % 4}", user.id)))

    for _ in range(4):
        assert race([partial(log_in, number) for number in range(24)]) == [None] * 24
    assert count(api_engine, "log_in_failures") == 0
    assert count(api_engine, "log_in_addresses") == 12


def test_a_refused_attempt_writes_nothing(api_engine: Engine) -> None:
    store = attempts(api_engine, pair=1)
    store.admit(attempt("ada", "192.0.2.1"))
    state = "SELECT xmin::text, xmax::text FROM log_in_failures ORDER BY scope"
    with api_engine.connect() as connection:
        before = connection.execute(text(state)).all()
    for _ in range(3):
        with pytest.raises(TooManyAttempts):
            store.admit(attempt("ada", "192.0.2.1"))
    with api_engine.connect() as connection:
        assert connection.execute(text(state)).all() == before


def test_what_is_forgotten_goes_in_small_batches(engine: Engine, api_engine: Engine) -> None:
    make = (
        "INSERT INTO log_in_failures SELECT 'pair', sha256(n::text::bytea), 1,"
        " clock_timestamp() - interval '1 h 1 s' FROM generate_series(1, 25) n"
    )
    with engine.begin() as connection:
        connection.execute(text(make))
    store = attempts(api_engine)
    found = []
    for _ in range(3):
        store.admit(attempt("ada", "192.0.2.1"))
        found.append(count(api_engine, "log_in_failures") - 3)
    assert found == [15, 5, 0]


def test_addresses_that_are_known_no_more_go_too(engine: Engine, api_engine: Engine) -> None:
    ada = in_postgres(engine).user("ada")
    make = (
        "INSERT INTO log_in_addresses SELECT :id, 'old ' || n,"
        " clock_timestamp() - interval '90 d 1 s' FROM generate_series(1, 15) n"
    )
    with engine.begin() as connection:
        connection.execute(text(make), {"id": ada.id})
    store = attempts(api_engine)
    for expected in (6, 1):
        store.succeeded(store.admit(attempt("ada", "192.0.2.1", ada.id)))
        assert count(api_engine, "log_in_addresses") == expected


def test_neither_names_nor_passwords_are_kept(api_engine: Engine) -> None:
    attempts(api_engine).admit(attempt("my password by mistake", "192.0.2.1"))
    with api_engine.connect() as connection:
        rows = connection.execute(text("SELECT f::text FROM log_in_failures f")).scalars().all()
    assert len(rows) == 3
    assert not any("mistake" in row or b"mistake".hex() in row for row in rows)
