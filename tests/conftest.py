import os
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from adapters.postgres.engine import PostgresAddress, create_postgres_engine
from tests.postgres_server import LIMITS, TestServer, as_role, running_server


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


@pytest.fixture
def api_engine(database: PostgresAddress) -> Iterator[Engine]:
    """Connections as the API has them: under its role, which may do little."""
    engine = create_postgres_engine(as_role(database, "anichron_api"), LIMITS, "tests")
    yield engine
    engine.dispose()


@pytest.fixture
def worker_engine(database: PostgresAddress) -> Iterator[Engine]:
    """Connections as Workers have them: under their role."""
    engine = create_postgres_engine(as_role(database, "anichron_worker"), LIMITS, "tests")
    yield engine
    engine.dispose()
