"""The lists of the owner take the indexes that were made for them."""

from datetime import datetime
from itertools import product
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine, Select, text

from adapters.postgres.crawl_failures import failures_query
from adapters.postgres.list_stretches import IN_SCOPES, stretches
from adapters.postgres.listed_ids import listed_ids
from adapters.postgres.memories import memories_query
from adapters.postgres.work_item_reader import page_statement
from application.ports.memories import MemoryPosition
from application.ports.work_item_reader import ListFilter
from domain.library.calendar_day import CalendarDay
from domain.work.attempt import AttemptTag
from domain.work.status import WorkStatus
from tests.contracts.harness import PostgresPorts

pytestmark = pytest.mark.postgres
DAY = CalendarDay(month=6, day=1)
BEHIND = MemoryPosition(captured_at=datetime(2015, 6, 1), asset_id=UUID(int=1))  # noqa: DTZ001


@pytest.fixture
def ports(engine: Engine) -> PostgresPorts:
    return PostgresPorts(engine=engine)


def plan(engine: Engine, query: Select[Any]) -> str:
    compiled = query.compile(engine, compile_kwargs={"render_postcompile": True})
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


def list_plan(engine: Engine, which: ListFilter) -> str:
    """Of page 3; with its total it never looks through the table."""
    with engine.connect() as connection:
        wanted = stretches(connection, which)
    whole = plan(engine, page_statement(wanted, offset=100, limit=50, count_up_to=200))
    assert "Seq Scan on work_items" not in whole
    return plan(engine, listed_ids(wanted, 100, 50))


@pytest.mark.parametrize(
    "which",
    [
        ListFilter(kinds=frozenset({"Crawl"})),
        ListFilter(statuses=frozenset({WorkStatus.FAILED, WorkStatus.QUEUED})),
        ListFilter(
            kinds=frozenset({"Crawl", "TokenCleanup"}),
            statuses=frozenset({WorkStatus.FAILED, WorkStatus.SUCCEEDED}),
        ),
    ],
)
def test_a_list_of_several_reads_no_further_than_its_page(
    ports: PostgresPorts, which: ListFilter
) -> None:
    add_finished(ports, [None])
    found = list_plan(ports.engine, which)
    assert "Merge Append" in found
    assert "Sort  (" not in found


ONE, OTHER = UUID(int=1), UUID(int=2)
ONE_SCOPE: frozenset[UUID | None] = frozenset({ONE})
UNSCOPED: frozenset[UUID | None] = frozenset({None})


def test_a_list_of_scopes_reads_no_further_than_its_page(ports: PostgresPorts) -> None:
    add_finished(ports, [ONE, OTHER, None])
    for scopes, kinds, statuses in product(
        [ONE_SCOPE, UNSCOPED, ONE_SCOPE | {OTHER}],
        [frozenset[str](), frozenset({"Crawl"}), frozenset({"Crawl", "TokenCleanup"})],
        [frozenset[WorkStatus](), frozenset({WorkStatus.SUCCEEDED}), frozenset(WorkStatus)],
    ):
        which = ListFilter(scopes=scopes, kinds=kinds, statuses=statuses)
        found = list_plan(ports.engine, which)
        assert "Sort  (" not in found
        assert "work_items_list_by_scope" in found


def test_what_a_scope_has_none_of_is_not_looked_for(ports: PostgresPorts) -> None:
    add_finished(ports, [ONE])
    with ports.engine.connect() as connection:
        for nothing in (
            ListFilter(scopes=ONE_SCOPE, statuses=frozenset({WorkStatus.QUEUED})),
            ListFilter(scopes=ONE_SCOPE, kinds=frozenset({"TokenCleanup"})),
            ListFilter(scopes=UNSCOPED),
        ):
            assert stretches(connection, nothing) == []


def test_what_a_scope_has_is_found_by_the_index_alone(ports: PostgresPorts) -> None:
    add_finished(ports, [ONE, None])
    given = {"scopes": [ONE, None], "statuses": list(WorkStatus), "kinds": None}
    with ports.engine.connect() as connection:
        explained = connection.execute(text(f"EXPLAIN {IN_SCOPES}"), given).scalars()
        found = "\n".join(explained)
    assert found.count("Index Only Scan using work_items_list_by_scope") == 2
    assert "Sort Key: item" not in found


def add_finished(ports: PostgresPorts, scopes: list[UUID | None]) -> None:
    """Twenty thousand of two kinds in each status that is an end, in turn in these scopes."""
    for scope in scopes:
        if scope is not None:
            ports.run(
                "INSERT INTO storage_configs (id, user_id, root_path, time_zone)"
                " VALUES (:id, :user, :path, 'UTC')",
                id=scope,
                user=ports.add_user(),
                path=f"/{scope}",
            )
    ports.run(
        "INSERT INTO work_items"
        " (id, kind, payload, status, finished_at, requested_at, storage_config_id)"
        " SELECT gen_random_uuid(), CASE WHEN i % 2 = 0 THEN 'Crawl' ELSE 'Odd' END, '{}',"
        " CASE WHEN i % 7 = 0 THEN 'Failed' ELSE 'Succeeded' END, now(),"
        " now() - i * interval '1 s',"
        " (CAST(:scopes AS uuid[]))[1 + i % cardinality(CAST(:scopes AS uuid[]))]"
        " FROM generate_series(1, 20000) i",
        scopes=scopes,
    )
    ports.run("ANALYZE work_items")
