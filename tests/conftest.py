import os
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from adapters.postgres.engine import PostgresAddress
from tests.postgres_server import TestServer, as_role, engine_at, running_server


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
    with engine_at(database) as engine:
        yield engine


@pytest.fixture
def api_engine(database: PostgresAddress) -> Iterator[Engine]:
    """Connections as the API has them: under its role, which may do little."""
    with engine_at(as_role(database, "anichron_api")) as engine:
        yield engine


@pytest.fixture
def worker_engine(database: PostgresAddress) -> Iterator[Engine]:
    """Connections as Workers have them: under their role."""
    with engine_at(as_role(database, "anichron_worker")) as engine:
        yield engine
