"""The figures of the queue, on PostgreSQL, under the API's role."""

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.queue_figures import COUNTS, OLDEST, PostgresQueueFigures
from application.ports.queue_figures import Figures, ScopeKind
from tests.contracts.harness import PostgresPorts

pytestmark = pytest.mark.postgres


@pytest.fixture
def ports(engine: Engine) -> PostgresPorts:
    return PostgresPorts(engine=engine)


def counted(figures: Figures) -> dict[tuple[str, str], int]:
    return {(each.kind, each.status): each.count for each in figures.counts if each.count}


def test_an_empty_queue_has_no_kinds_and_nothing_waits(api_engine: Engine) -> None:
    figures = PostgresQueueFigures(engine=api_engine).read()
    assert list(figures.counts) == []
    assert figures.oldest_queued == dict.fromkeys(ScopeKind, 0.0)


def test_items_are_counted_by_kind_and_status_unknown_kinds_too(
    ports: PostgresPorts, api_engine: Engine
) -> None:
    for kind in ("Crawl", "Crawl", "TokenCleanup", "OfALaterRelease"):
        ports.enqueue(kind)
    ports.claimed()
    figures = PostgresQueueFigures(engine=api_engine).read()
    assert counted(figures) == {
        ("Crawl", "Running"): 1,
        ("Crawl", "Queued"): 1,
        ("TokenCleanup", "Queued"): 1,
        ("OfALaterRelease", "Queued"): 1,
    }
    assert len(figures.counts) == 15, "zeros are told, so that a rate begins somewhere"


def test_counts_stop_at_ten_thousand(ports: PostgresPorts, api_engine: Engine) -> None:
    ports.run(
        "INSERT INTO work_items (id, kind, payload) SELECT gen_random_uuid(), 'Crawl', '{}'"
        " FROM generate_series(1, 10050)"
    )
    assert counted(PostgresQueueFigures(engine=api_engine).read()) == {("Crawl", "Queued"): 10_000}


def test_the_oldest_is_told_by_sort_of_scope(ports: PostgresPorts, api_engine: Engine) -> None:
    active, inactive, of_nobody = ports.add_config(), ports.add_config(), ports.add_user()
    disabled = ports.add_config(of_nobody)
    ports.set_active(inactive, is_active=False)
    ports.disable_user(of_nobody)
    waits = {None: 10, active: 200, inactive: 3_000, disabled: 40_000}
    for scope, seconds in waits.items():
        for age in (seconds, seconds - 5):
            item_id = ports.enqueue("Crawl", scope=scope)
            ports.run(
                "UPDATE work_items SET requested_at = clock_timestamp() - :age * interval '1 s'"
                " WHERE id = :id",
                age=age,
                id=item_id,
            )
    oldest = PostgresQueueFigures(engine=api_engine).read().oldest_queued
    assert oldest[ScopeKind.UNSCOPED] == pytest.approx(10, abs=3)
    assert oldest[ScopeKind.ACTIVE] == pytest.approx(200, abs=3)
    assert oldest[ScopeKind.INACTIVE] == pytest.approx(40_000, abs=3)


def test_neither_look_walks_through_the_table(ports: PostgresPorts, engine: Engine) -> None:
    config = ports.add_config()
    ports.run(
        "INSERT INTO work_items (id, kind, payload, storage_config_id, status, finished_at)"
        " SELECT gen_random_uuid(), 'Crawl', '{}', :config, 'Failed', clock_timestamp()"
        " FROM generate_series(1, 30000)",
        config=config,
    )
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE work_items"))
        for query, given in ((COUNTS, {"most": 10_000, "statuses": ["Queued"]}), (OLDEST, {})):
            lines = connection.execute(text(f"EXPLAIN {query}"), given).scalars()
            assert "Seq Scan on work_items" not in "\n".join(lines)
