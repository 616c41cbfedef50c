"""What the server is told about each connection."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from adapters.postgres.engine import ConnectionLimits, PostgresAddress
from tests.postgres_server import engine_at

pytestmark = pytest.mark.postgres


def test_an_error_tells_nothing_of_what_was_asked_for(database: PostgresAddress) -> None:
    with engine_at(database, ConnectionLimits(), "a-host") as engine:
        with engine.connect() as connection, pytest.raises(DBAPIError) as refused:
            connection.execute(text("SELECT nothing, :name"), {"name": "Anna and Ben.jpg"})
        assert "Anna" not in str(refused.value)


def test_every_wait_has_a_limit_on_the_server_too(database: PostgresAddress) -> None:
    limits = ConnectionLimits(statement=7, lock=3, transaction=6)
    with engine_at(database, limits, "a-host") as engine, engine.connect() as connection:

        def setting(name: str) -> str:
            return str(connection.execute(text(f"SHOW {name}")).scalar_one())

        version = int(setting("server_version_num"))
        assert setting("statement_timeout") == "7s"
        assert setting("lock_timeout") == "3s"
        assert setting("idle_in_transaction_session_timeout") == "6s"
        assert setting("TimeZone") == "UTC"
        assert setting("application_name") == "a-host"
        assert version < 170_000 or setting("transaction_timeout") == "6s"
