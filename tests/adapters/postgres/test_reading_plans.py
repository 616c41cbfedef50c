"""The lists of the owner take the indexes that were made for them."""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine, Select

from adapters.postgres.crawl_failures import failures_query
from adapters.postgres.memories import memories_query
from application.ports.memories import MemoryPosition
from domain.library.calendar_day import CalendarDay
from domain.work.attempt import AttemptTag
from tests.contracts.harness import PostgresPorts

pytestmark = pytest.mark.postgres
DAY = CalendarDay(month=6, day=1)
BEHIND = MemoryPosition(captured_at=datetime(2015, 6, 1), asset_id=UUID(int=1))  # noqa: DTZ001


@pytest.fixture
def ports(engine: Engine) -> PostgresPorts:
    return PostgresPorts(engine=engine)


def plan(engine: Engine, query: Select[Any]) -> str:
    compiled = query.compile(engine)
    with engine.connect() as connection:
        lines = connection.exec_driver_sql(f"EXPLAIN {compiled}", compiled.params)
        return "\n".join(line[0] for line in lines)


@pytest.mark.parametrize("after", [None, BEHIND])
def test_a_day_is_read_by_its_index(ports: PostgresPorts, after: MemoryPosition | None) -> None:
    owner = ports.add_user()
    for config in (ports.add_config(owner), ports.add_config()):
        ports.run(
            "INSERT INTO media_assets (id, storage_config_id, media_type, format, content_size,"
            " content_hash, width, height, blurhash) SELECT gen_random_uuid(), :config, 'Image',"
            " 'jpeg', i, lpad(to_hex(i), 16, '0'), 4, 3, 'L' FROM generate_series(1, 6000) i",
            config=config,
        )
        ports.run(
            "INSERT INTO asset_metadata (asset_id, storage_config_id, captured_at, capture_source,"
            " is_estimated, capture_year, capture_month, capture_day, rotation_degrees,"
            " is_mirrored) SELECT id, :config, at, 'XMP', false, extract(year FROM at),"
            " extract(month FROM at), extract(day FROM at), 0, false FROM (SELECT id,"
            " timestamp '2005-01-01' + content_size * interval '1 day' AS at FROM media_assets"
            " WHERE storage_config_id = :config) AS dated",
            config=config,
        )
    ports.run("ANALYZE")
    found = plan(ports.engine, memories_query(owner, DAY, after, 50))
    assert "asset_metadata_on_this_day" in found
    assert "Seq Scan on asset_metadata" not in found
    assert "Seq Scan on media_assets" not in found


def test_failures_are_read_by_attempt_though_most_rows_are_of_one(ports: PostgresPorts) -> None:
    tags = [AttemptTag(item_id=uuid4(), attempt=1) for _ in range(2)]
    for tag in tags:
        ports.enqueue("Crawl", item_id=tag.item_id)
        ports.run(
            "INSERT INTO crawl_failures (work_item_id, attempt, path, display_path, reason,"
            " message) SELECT :item, 1, 'x', 'x', 'damaged', 'it is'"
            " FROM generate_series(1, 5000)",
            item=tag.item_id,
        )
    ports.run("ANALYZE")
    assert "crawl_failures_attempt" in plan(ports.engine, failures_query(tags[1], 0, 51))
