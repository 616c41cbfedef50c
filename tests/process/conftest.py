from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from adapters.postgres.engine import PostgresAddress
from tests.contracts.harness import PostgresPorts
from tests.process.hosts import Scene, scene


@pytest.fixture
def stage(database: PostgresAddress, engine: Engine, tmp_path: Path) -> Iterator[Scene]:
    with scene(database, PostgresPorts(engine=engine), tmp_path) as stage:
        yield stage
