"""A heartbeat with unchanged progress touches no index: the server counts it as a HOT update."""

import pytest

from adapters.postgres.engine import PostgresAddress
from tests.statistics_of_updates import updates_of_beats

pytestmark = pytest.mark.postgres


def test_every_beat_without_news_is_hot(database: PostgresAddress) -> None:
    assert updates_of_beats(database, 50) == (50, 50)
