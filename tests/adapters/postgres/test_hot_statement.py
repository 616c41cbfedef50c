"""Statements that go past SQLAlchemy's execution keep its promises."""

import pytest
from sqlalchemy import Engine, bindparam, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from adapters.postgres.connections import sqlstate_of
from adapters.postgres.hot_statement import HotStatement, compiled, hot_connection
from adapters.postgres.work_item_execution import BEAT, CLAIM, FINISH, FINISH_AND_CLAIM, FLOOR
from adapters.postgres.work_queue import INSERT_AT_ONCE
from domain.errors import DatabaseUnavailable

pytestmark = pytest.mark.postgres
DOUBLE = compiled(text("SELECT CAST(:number AS int) * 2 AS doubled, pg_backend_pid() AS pid"))


def test_rows_come_by_name(engine: Engine) -> None:
    with hot_connection(engine) as driver:
        [row] = DOUBLE.rows(driver, {"number": 21})
    assert row["doubled"] == 42


def test_each_statement_is_committed_for_itself_and_the_next_user_has_transactions(
    engine: Engine,
) -> None:
    insert = compiled(
        text(
            "INSERT INTO work_items (id, kind, payload) VALUES (gen_random_uuid(), :kind, '{}')"
            " RETURNING id"
        ).bindparams(bindparam("kind"))
    )
    with hot_connection(engine) as driver:
        insert.rows(driver, {"kind": "Kept"})
    with engine.connect() as connection, connection.begin() as transaction:
        connection.execute(text("UPDATE work_items SET kind = 'Lost'"))
        transaction.rollback()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT kind FROM work_items")).scalars().all() == ["Kept"]


def test_what_the_database_refuses_is_the_same_error_as_elsewhere(engine: Engine) -> None:
    orphan = compiled(
        text(
            "INSERT INTO work_items (id, kind, payload, storage_config_id)"
            " VALUES (gen_random_uuid(), 'k', '{}', gen_random_uuid()) RETURNING id"
        )
    )
    with pytest.raises(IntegrityError) as refused, hot_connection(engine) as driver:
        orphan.rows(driver, {})
    assert sqlstate_of(refused.value) == "23503"
    wrong = compiled(text("SELECT no_such_column"))
    with pytest.raises(DBAPIError), hot_connection(engine) as driver:
        wrong.rows(driver, {})


def test_a_session_that_was_cut_is_an_outage_once_and_then_a_new_one(engine: Engine) -> None:
    with hot_connection(engine) as driver:
        [first] = DOUBLE.rows(driver, {"number": 1})
    with engine.connect() as other, other.begin():
        mine = other.execute(text("SELECT pg_backend_pid()")).scalar_one()
        victims = text(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> :mine"
        )
        cut = text("SELECT pg_terminate_backend(pg_backend_pid())")
        other.execute(victims, {"mine": mine})
    with pytest.raises(DatabaseUnavailable), hot_connection(engine) as driver:
        driver.execute(str(cut))
    with hot_connection(engine) as driver:
        [again] = DOUBLE.rows(driver, {"number": 1})
    assert again["pid"] != first["pid"]


@pytest.mark.parametrize(
    "statement",
    [CLAIM, FLOOR, BEAT, INSERT_AT_ONCE, *FINISH.values(), *FINISH_AND_CLAIM.values()],
)
def test_the_driver_remembers_how_to_read_them(statement: HotStatement) -> None:
    """psycopg reads a text of more than 4,096 bytes anew at each execution: 80 us of a claim."""
    assert len(statement.text.encode()) <= 4_096
