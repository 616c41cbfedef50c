from pathlib import Path

import pytest

from adapters.postgres.engine import PostgresAddress
from tests.entrypoints.cli.command import Anichron, run
from tests.postgres_server import connection_variables


@pytest.fixture
def anichron(tmp_path: Path) -> Anichron:
    return lambda *arguments, **environment: run(tmp_path, *arguments, **environment)


@pytest.fixture
def with_database(database: PostgresAddress, tmp_path: Path) -> Anichron:
    where = connection_variables(database)
    return lambda *arguments, **environment: run(tmp_path, *arguments, **where, **environment)
