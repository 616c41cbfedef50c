"""A heartbeat with unchanged progress touches no index: the server counts it as a HOT update."""

import pytest

from adapters.postgres.engine import PostgresAddress
from tests.statistics_of_updates import updates_of_beats

pytestmark = pytest.mark.postgres


# So many versions of a row fit into one page. With more, the page must be pruned on the way, and
# any transaction that writes in another database of the server can keep it from that.
BEATS = 10


def test_every_beat_without_news_is_hot(database: PostgresAddress) -> None:
    assert updates_of_beats(database, BEATS) == (BEATS, BEATS)
