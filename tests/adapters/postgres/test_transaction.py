"""What tells an outage from a mistake, and what is tried again."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from adapters.postgres.engine import ConnectionLimits, PostgresAddress, create_postgres_engine
from adapters.postgres.transaction import DEADLOCK_TRIES, autocommit, retried, transaction
from domain.errors import DatabaseUnavailable

pytestmark = pytest.mark.postgres


def raise_(sqlstate: str, connection: Connection) -> None:
    connection.execute(text(f"DO $$ BEGIN RAISE SQLSTATE '{sqlstate}'; END $$"))


def test_a_server_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    address = PostgresAddress(host=str(tmp_path), port=5432, dbname="x", user="x")
    engine = create_postgres_engine(address, ConnectionLimits(), "tests")
    with pytest.raises(DatabaseUnavailable, match="did not answer in time"), autocommit(engine):
        pass


def test_a_statement_over_its_limit_is_unavailable(database: PostgresAddress) -> None:
    engine = create_postgres_engine(database, ConnectionLimits(statement=0.1), "tests")
    with pytest.raises(DatabaseUnavailable), autocommit(engine) as connection:
        connection.execute(text("SELECT pg_sleep(5)"))
    engine.dispose()


def test_a_lock_that_is_not_given_is_unavailable(database: PostgresAddress) -> None:
    engine = create_postgres_engine(database, ConnectionLimits(lock=0.1, pool_size=2), "tests")
    with transaction(engine) as holder:
        holder.execute(text("LOCK TABLE users"))
        with pytest.raises(DatabaseUnavailable), autocommit(engine) as connection:
            connection.execute(text("SELECT count(*) FROM users"))
    engine.dispose()


def test_a_pool_without_a_free_connection_is_unavailable(database: PostgresAddress) -> None:
    limits = ConnectionLimits(pool_size=1, pool_wait=0.1)
    engine = create_postgres_engine(database, limits, "tests")
    with autocommit(engine), pytest.raises(DatabaseUnavailable), transaction(engine):
        pass
    engine.dispose()


def test_a_transaction_over_its_limit_is_unavailable(database: PostgresAddress) -> None:
    engine = create_postgres_engine(database, ConnectionLimits(transaction=0.3), "tests")
    with pytest.raises(DatabaseUnavailable), transaction(engine) as connection:
        connection.execute(text("SELECT pg_sleep(5)"))
    engine.dispose()


def test_a_refused_password_is_unavailable(database: PostgresAddress) -> None:
    engine = create_postgres_engine(
        replace(database, dbname="no such database"), ConnectionLimits(), "tests"
    )
    with pytest.raises(DatabaseUnavailable), autocommit(engine):
        pass


def test_a_mistake_is_not_an_outage(engine: Engine) -> None:
    with pytest.raises(ProgrammingError), transaction(engine) as connection:
        connection.execute(text("SELECT nothing"))


def test_what_deadlocked_is_tried_again(engine: Engine) -> None:
    tries = []

    def work(connection: Connection) -> str:
        tries.append(1)
        if len(tries) < DEADLOCK_TRIES:
            raise_("40P01", connection)
        return "done"

    assert retried(engine, work) == "done"


def test_what_deadlocks_again_and_again_is_given_up(engine: Engine) -> None:
    tries = []

    def work(connection: Connection) -> None:
        tries.append(1)
        raise_("40P01", connection)

    with pytest.raises(DatabaseUnavailable) as refusal:
        retried(engine, work)
    assert isinstance(refusal.value.__cause__, OperationalError)
    assert len(tries) == DEADLOCK_TRIES


def test_what_failed_otherwise_is_not_tried_again(engine: Engine) -> None:
    tries = []

    def work(connection: Connection) -> None:
        tries.append(1)
        raise_("23505", connection)

    with pytest.raises(IntegrityError):
        retried(engine, work)
    assert len(tries) == 1
