import os
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from adapters.postgres.engine import PostgresAddress, create_postgres_engine
from tests.postgres_server import LIMITS, TestServer, running_server


@pytest.fixture(scope="session")
def server() -> Iterator[TestServer]:
    with running_server() as server:
        wanted = os.environ.get("TEST_PG_SOURCE", server.source)
        assert server.source == wanted, f"PostgreSQL comes from {server.source}, not {wanted}"
        server.prepare_template()
        yield server


@pytest.fixture
def database(server: TestServer) -> Iterator[PostgresAddress]:
    """A migrated, empty database for this test alone."""
    with server.database() as address:
        yield address


@pytest.fixture
def engine(database: PostgresAddress) -> Iterator[Engine]:
    engine = create_postgres_engine(database, LIMITS, "tests")
    yield engine
    engine.dispose()
