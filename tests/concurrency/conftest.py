from collections.abc import Iterator

import pytest

from adapters.postgres.engine import ConnectionLimits, PostgresAddress
from tests.contracts.harness import PostgresPorts
from tests.postgres_server import engine_at


@pytest.fixture
def ports(database: PostgresAddress) -> Iterator[PostgresPorts]:
    with engine_at(database, ConnectionLimits(pool_size=50, transaction=8, statement=8)) as engine:
        yield PostgresPorts(engine=engine)
