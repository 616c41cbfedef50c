"""What tells an outage from a mistake, and what is tried again."""

from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from psycopg import errors
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError, IntegrityError, ProgrammingError

from adapters.postgres.connections import (
    DEADLOCK_DETECTED,
    MOST_TRIES,
    again_on,
    named_errors,
    one_transaction,
    single_statement,
)
from adapters.postgres.engine import ConnectionLimits, PostgresAddress
from domain.errors import DatabaseLost, DatabaseUnavailable
from tests.postgres_server import engine_at

pytestmark = pytest.mark.postgres


def raise_(sqlstate: str, connection: Connection) -> None:
    connection.execute(text(f"DO $$ BEGIN RAISE SQLSTATE '{sqlstate}'; END $$"))


def test_a_server_that_is_not_there_is_lost(tmp_path: Path) -> None:
    address = PostgresAddress(host=str(tmp_path), port=5432, dbname="x", user="x")
    with (
        engine_at(address) as engine,
        pytest.raises(DatabaseLost),
        single_statement(engine),
    ):
        pass


def test_a_statement_over_its_limit_is_unavailable(database: PostgresAddress) -> None:
    with (
        engine_at(database, ConnectionLimits(statement=0.1)) as engine,
        pytest.raises(DatabaseUnavailable),
        single_statement(engine) as connection,
    ):
        connection.execute(text("SELECT pg_sleep(5)"))


def test_a_lock_that_is_not_given_is_unavailable(database: PostgresAddress) -> None:
    limits = ConnectionLimits(lock=0.1, pool_size=2)
    with engine_at(database, limits) as engine, one_transaction(engine) as holder:
        holder.execute(text("LOCK TABLE users"))
        with pytest.raises(DatabaseUnavailable), single_statement(engine) as connection:
            connection.execute(text("SELECT count(*) FROM users"))


def test_a_pool_without_a_free_connection_is_unavailable(database: PostgresAddress) -> None:
    limits = ConnectionLimits(pool_size=1, pool_wait=0.1)
    with (
        engine_at(database, limits) as engine,
        single_statement(engine),
        pytest.raises(DatabaseUnavailable),
        one_transaction(engine),
    ):
        pass


def test_a_transaction_over_its_limit_is_unavailable(database: PostgresAddress) -> None:
    with engine_at(database, ConnectionLimits(transaction=0.3)) as engine:
        with single_statement(engine) as connection:
            if int(connection.execute(text("SHOW server_version_num")).scalar_one()) < 170_000:
                pytest.skip("transaction_timeout came with PostgreSQL 17")
        with pytest.raises(DatabaseUnavailable), one_transaction(engine) as connection:
            connection.execute(text("SELECT pg_sleep(5)"))


def test_a_refused_password_is_unavailable(database: PostgresAddress) -> None:
    with (
        engine_at(replace(database, dbname="no such database")) as engine,
        pytest.raises(DatabaseUnavailable),
        single_statement(engine),
    ):
        pass


def test_a_mistake_is_not_an_outage(engine: Engine) -> None:
    with pytest.raises(ProgrammingError), one_transaction(engine) as connection:
        connection.execute(text("SELECT nothing"))


def test_what_deadlocked_is_tried_again(engine: Engine) -> None:
    tries = []

    def work() -> str:
        tries.append(1)
        with one_transaction(engine) as connection:
            if len(tries) < MOST_TRIES:
                raise_("40P01", connection)
        return "done"

    assert again_on((DEADLOCK_DETECTED,), work) == "done"


@pytest.mark.parametrize(
    ("sqlstate", "expected", "count"),
    [("40P01", DatabaseUnavailable, MOST_TRIES), ("23505", IntegrityError, 1)],
)
def test_what_fails_for_good_is_given_up(
    engine: Engine, sqlstate: str, expected: type[Exception], count: int
) -> None:
    tries = []

    def work() -> None:
        tries.append(1)
        with one_transaction(engine) as connection:
            raise_(sqlstate, connection)

    with pytest.raises(expected):
        again_on((DEADLOCK_DETECTED,), work)
    assert len(tries) == count


@pytest.mark.parametrize(
    "state",
    [
        errors.ConnectionException,
        errors.ReadOnlySqlTransaction,
        errors.SerializationFailure,
        errors.DiskFull,
        errors.TooManyConnections,
        errors.LockNotAvailable,
        errors.AdminShutdown,
        errors.IoError,
    ],
)
def test_what_speaks_of_the_servers_state_is_an_outage(state: type[psycopg.Error]) -> None:
    with pytest.raises(DatabaseUnavailable), named_errors():
        raise DBAPIError("SELECT 1", {}, state())


@pytest.mark.parametrize(
    ("state", "is_lost"),
    [
        (errors.ConnectionException, True),
        (errors.AdminShutdown, True),
        (errors.CrashShutdown, True),
        (errors.CannotConnectNow, True),
        (errors.LockNotAvailable, False),
        (errors.QueryCanceled, False),
        (errors.DiskFull, False),
        (errors.ReadOnlySqlTransaction, False),
    ],
)
def test_a_session_that_is_gone_is_told_from_one_that_is_refused(
    state: type[psycopg.Error], *, is_lost: bool
) -> None:
    with pytest.raises(DatabaseUnavailable) as outage, named_errors():
        raise DBAPIError("SELECT 1", {}, state())
    assert isinstance(outage.value, DatabaseLost) is is_lost


def test_a_session_that_the_server_ends_is_lost(database: PostgresAddress) -> None:
    with (
        engine_at(database) as engine,
        pytest.raises(DatabaseLost),
        single_statement(engine) as connection,
    ):
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))


@pytest.mark.parametrize("state", [errors.UniqueViolation, errors.UndefinedTable])
def test_what_speaks_of_the_statement_is_none(state: type[psycopg.Error]) -> None:
    with pytest.raises(DBAPIError), named_errors():
        raise DBAPIError("SELECT 1", {}, state())


def test_the_client_waits_a_little_longer_than_the_server(database: PostgresAddress) -> None:
    limits = ConnectionLimits(statement=7, answer_slack=2)
    with engine_at(database, limits) as engine, engine.connect() as connection:
        assert connection.connection.dbapi_connection.limit_seconds == 9  # type: ignore[union-attr]
