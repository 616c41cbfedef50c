"""A statement that the server never answers fails within the client's limit."""

import time

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from adapters.postgres.deadline import connection_class
from adapters.postgres.engine import ConnectionLimits, PostgresAddress
from tests.postgres_server import engine_at

pytestmark = pytest.mark.postgres


def test_a_statement_without_an_answer_closes_the_connection(database: PostgresAddress) -> None:
    with connection_class(0.3).connect(database.conninfo()) as connection:
        began = time.monotonic()
        with pytest.raises(psycopg.OperationalError, match="did not answer within"):
            connection.execute("SELECT pg_sleep(30)")
        assert time.monotonic() - began < 5
        assert connection.closed


def test_an_engine_replaces_the_connection_that_it_gave_up(database: PostgresAddress) -> None:
    limits = ConnectionLimits(statement=5, answer_slack=-4.5, pool_size=1)
    with engine_at(database, limits) as engine:
        with engine.connect() as connection, pytest.raises(OperationalError):
            connection.execute(text("SELECT pg_sleep(4)"))
        with engine.connect() as connection:
            assert connection.execute(text("SELECT 1")).scalar_one() == 1
