"""Back up and restore as docs/operating.md says, with PostgreSQL's own programs."""

import os
import subprocess
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from adapters.embedded_postgres.binaries import find_bin_directory
from adapters.postgres.engine import PostgresAddress
from domain.work.status import WorkStatus
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.cli.command import run
from tests.postgres_server import TestServer, as_role, connection_variables, engine_at
from tests.schema_dump import major_version

pytestmark = pytest.mark.postgres
DUMPED_WITH = 18
ROOT = Path(__file__).resolve().parents[2]


def program(name: str, *arguments: str, password: str | None) -> None:
    done = subprocess.run(
        [find_bin_directory() / name, *arguments],
        env={**os.environ, **({"PGPASSWORD": password} if password else {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_the_guide_says_what_is_tried_here() -> None:
    guide = (ROOT / "docs" / "operating.md").read_text()
    assert "pg_dump --format=custom --file=anichron.dump" in guide
    assert (
        "pg_restore --exit-on-error --single-transaction --dbname=anichron anichron.dump" in guide
    )


def test_what_is_restored_works_and_recovers_what_was_running(
    server: TestServer, database: PostgresAddress, engine: Engine, tmp_path: Path
) -> None:
    if major_version(server) < DUMPED_WITH:
        pytest.skip(f"our pg_dump is of {DUMPED_WITH}, and speaks to no older server's restore")
    ports = PostgresPorts(engine=engine)
    owner = ports.add_user()
    config = ports.add_config(owner)
    waiting, running = ports.enqueue(key="later", scope=config), ports.enqueue("Crawl")
    ports.run(
        "UPDATE work_items SET status = 'Running', attempt = 1, claimed_by = 'all@gone',"
        " started_at = clock_timestamp(), lease_until = clock_timestamp() - interval '1 s'"
        " WHERE id = :id",
        id=running,
    )
    source = server.at(database.dbname)
    dump = str(tmp_path / "anichron.dump")
    program(
        "pg_dump", "--format=custom", f"--file={dump}", source.conninfo(), password=source.password
    )
    with server.database(migrated=False) as empty:
        target = server.at(empty.dbname)
        program(
            "pg_restore",
            *("--exit-on-error", "--single-transaction", f"--dbname={target.conninfo()}", dump),
            password=target.password,
        )
        migrated = run(tmp_path, "migrate", **connection_variables(target))
        assert (migrated.returncode, migrated.stderr) == (0, "")
        with engine_at(as_role(empty, "anichron_worker")) as worker:
            restored = PostgresPorts(engine=worker)
            assert restored.item(waiting).status is WorkStatus.QUEUED
            assert list(restored.execution.stalled(10)) == [running]
            restored.execution.recover(running, stall_limit=3)
            item = restored.item(running)
            assert (item.status, item.stalls, item.attempt) == (WorkStatus.QUEUED, 1, 1)
            claimed = restored.claim()
            assert claimed is not None
            with worker.connect() as connection:
                users = connection.execute(text("SELECT id FROM users")).scalars().all()
            assert list(users) == [owner]
