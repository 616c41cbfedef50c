from collections.abc import Iterator

import pytest

from adapters.postgres.engine import ConnectionLimits, PostgresAddress, create_postgres_engine
from tests.contracts.harness import PostgresPorts


@pytest.fixture
def ports(database: PostgresAddress) -> Iterator[PostgresPorts]:
    engine = create_postgres_engine(
        database, ConnectionLimits(pool_size=50, transaction=8, statement=8), "crowd"
    )
    yield PostgresPorts(engine=engine)
    engine.dispose()
