"""The migrations, what they make, and docs/schema.sql."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text

from adapters.postgres.engine import create_postgres_engine
from adapters.postgres.readiness import PostgresReadiness
from adapters.postgres.schema import (
    current_revision,
    head_revision,
    is_known,
    migrate,
    served_by,
    serves_older,
)
from application.ports.readiness import SchemaNotCurrent
from tests.postgres_server import LIMITS, TestServer
from tests.schema_dump import dump_schema, major_version

pytestmark = pytest.mark.postgres
ROOT = Path(__file__).resolve().parents[2]
DUMPED_WITH = 18


def test_the_documented_schema_is_what_the_migrations_make(server: TestServer) -> None:
    if major_version(server) != DUMPED_WITH:
        pytest.skip(f"pg_dump words it otherwise before PostgreSQL {DUMPED_WITH}")
    with server.database() as address:
        dumped = dump_schema(address)
    assert dumped == (ROOT / "docs" / "schema.sql").read_text(), "run `make schema`"


def test_every_table_and_column_has_a_comment(engine: Engine) -> None:
    query = text("""
        SELECT c.relname || coalesce('.' || a.attname, '')
        FROM pg_class c
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
          AND c.relname <> 'alembic_version'
          AND (col_description(c.oid, a.attnum) IS NULL OR obj_description(c.oid) IS NULL)
    """)
    with engine.connect() as connection:
        assert list(connection.execute(query).scalars()) == []


def test_hosts_that_migrate_at_once_do_it_once(server: TestServer) -> None:
    with server.database(migrated=False) as address:
        engines = [create_postgres_engine(address, LIMITS, "host") for _ in range(4)]
        assert current_revision(engines[0]) is None
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(migrate, engines))
        assert {current_revision(engine) for engine in engines} == {head_revision()}
        for engine in engines:
            engine.dispose()


def test_a_newer_releases_revision_is_not_known() -> None:
    assert is_known(head_revision())
    assert not is_known("9999")


def readiness_of(engine: Engine, needed: str) -> str:
    try:
        PostgresReadiness(engine=engine, needed=needed).check()
    except SchemaNotCurrent as error:
        return str(error)
    return "ready"


def test_a_newer_schema_serves_those_that_it_is_marked_for_and_nobody_else(
    engine: Engine, api_engine: Engine
) -> None:
    head = head_revision()
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert readiness_of(api_engine, head) == f"the schema is at 9999; this release needs {head}"
    with engine.begin() as connection:
        comment = f"COMMENT ON TABLE alembic_version IS 'also serves: 9998 {head}'"
        connection.execute(text(comment))
    assert readiness_of(api_engine, head) == "ready"
    assert readiness_of(api_engine, "9998") == "ready"
    assert readiness_of(api_engine, "9997").startswith("the schema is at 9999")


def test_an_older_schema_serves_nobody_whatever_it_is_marked_for(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("COMMENT ON TABLE alembic_version IS 'also serves: 0003'"))
    assert readiness_of(engine, "9999").endswith("this release needs 9999")


@dataclass(frozen=True)
class Script:
    """As much of a migration as is looked at."""

    down_revision: str | None
    module: SimpleNamespace


def chain(*marks: bool) -> list[Script]:
    """Migrations, the newest first, each marked or not; the oldest follows on none."""
    ids = [f"{number:04}" for number in reversed(range(len(marks)))]
    older = [*ids[1:], None]
    return [
        Script(before, SimpleNamespace(SERVES_OLDER_RELEASES=mark) if mark else SimpleNamespace())
        for before, mark in zip(older, marks, strict=True)
    ]


@pytest.mark.parametrize(
    ("scripts", "served"),
    [
        (chain(False, True, False), []),
        (chain(True, False, False), ["0001"]),
        (chain(True, True, False), ["0001", "0000"]),
        (chain(True, True, True), ["0001", "0000"]),
    ],
)
def test_releases_are_served_back_to_the_last_migration_that_says_nothing(
    monkeypatch: pytest.MonkeyPatch, scripts: list[Script], served: list[str]
) -> None:
    monkeypatch.setattr(ScriptDirectory, "walk_revisions", lambda _self: iter(scripts))
    assert serves_older() == served


def test_migrating_marks_the_schema_and_takes_an_old_mark_away(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("COMMENT ON TABLE alembic_version IS 'also serves: 0000'"))
    migrate(engine)
    with engine.connect() as connection:
        assert served_by(connection) == frozenset(serves_older())


def test_the_lease_is_in_no_index_so_that_heartbeats_stay_hot(engine: Engine) -> None:
    query = text("SELECT indexdef FROM pg_indexes WHERE tablename = 'work_items'")
    with engine.connect() as connection:
        indexes = list(connection.execute(query).scalars())
    assert len(indexes) >= 10
    assert [each for each in indexes if "lease_until" in each] == []


IMPOSSIBLE = [
    "status = 'Running'",
    "lease_until = now()",
    "cancel_requested_at = now()",
    "finished_at = now()",
    "status = 'Succeeded'",
    "status = 'Done'",
    "result = '{}'",
    "error = 'x'",
    "attempt = -1",
    "stalls = -1",
    "progress_done = -1",
    "progress_total = -1",
    "dedup_key = ''",
    "dedup_key = repeat('k', 201)",
    "progress_note = repeat('n', 201)",
    "status = 'Failed', finished_at = now(), result = '{}'",
    "status = 'Succeeded', finished_at = now(), error = 'x'",
]


@pytest.mark.parametrize("change", IMPOSSIBLE)
def test_the_table_refuses_what_cannot_be(engine: Engine, change: str) -> None:
    insert = "INSERT INTO work_items (id, kind, payload) VALUES (gen_random_uuid(), 'X', '{}')"
    with engine.connect() as connection:
        connection.execute(text(insert))
        with pytest.raises(Exception, match="violates check constraint"):
            connection.execute(text(f"UPDATE work_items SET {change}"))
