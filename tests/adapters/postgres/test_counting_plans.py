"""Counts never look through the whole table, however rare what they count is."""

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.work_item_counter import BY_KIND

pytestmark = pytest.mark.postgres


def test_each_pair_of_kind_and_status_is_counted_in_the_index(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO work_items (id, kind, payload, status, finished_at)"
                " SELECT gen_random_uuid(), 'Crawl', '{}', 'Succeeded', clock_timestamp()"
                " FROM generate_series(1, 30000)"
            )
        )
        connection.execute(text("ANALYZE work_items"))
        given = {"statuses": ["Succeeded", "Queued"], "kinds": None, "most": 10_001}
        explained = connection.execute(text(f"EXPLAIN {BY_KIND}"), given).scalars()
        plan = "\n".join(explained)
    assert "Scan using work_items_list_by_kind" in plan
    assert "Seq Scan on work_items" not in plan
