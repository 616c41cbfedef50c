"""A picture that kills its decoder stops no crawl: real Workers, real deaths."""

from pathlib import Path
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from domain.work.status import WorkStatus
from tests.crawl.pictures import photo, write
from tests.process.hosts import Scene, eventually
from tests.process.killer_runner import KILLER

pytestmark = [pytest.mark.postgres, pytest.mark.process]


def registered(stage: Scene, root: Path) -> UUID:
    user, config = uuid4(), uuid4()
    stage.ports.run(
        "INSERT INTO users (id, name, email, password_hash) VALUES (:id, 'a', 'a@b', 'x')", id=user
    )
    stage.ports.run(
        "INSERT INTO storage_configs (id, user_id, root_path, time_zone)"
        " VALUES (:id, :user, :root, 'UTC')",
        id=config,
        user=user,
        root=str(root),
    )
    return config


def rows(stage: Scene, query: str) -> list[tuple[object, ...]]:
    with stage.ports.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def test_a_file_that_kills_twice_is_passed_over_and_named(stage: Scene, tmp_path: Path) -> None:
    root = tmp_path / "originals"
    for number in range(8):
        write(root / f"{number}.jpg", photo(number))
    write(root / "3.jpg", photo(3) + KILLER)
    registered(stage, root)
    worker = stage.start(
        TEST_RUNNER="tests.process.killer_runner",
        WORKER__ROOT=str(tmp_path),
        WORKER__PROXY_PATH=str(tmp_path / "proxies"),
    )
    found: list[tuple[object, ...]] = []

    def ended() -> bool:
        found[:] = rows(
            stage, "SELECT id FROM work_items WHERE kind = 'Crawl' AND finished_at > '1900-01-01'"
        )
        return bool(found)

    eventually(ended, 40, worker.log.read_text)
    item_id = found[0][0]
    assert isinstance(item_id, UUID)
    item = stage.item(item_id)
    assert (item.status, item.attempt, item.stalls) == (WorkStatus.SUCCEEDED, 3, 2)
    assert item.result is not None
    assert item.result["failedByReason"] == {"crashes the decoder": 1}
    assert item.result["found"] == 8
    failures = rows(stage, "SELECT attempt, display_path, reason FROM crawl_failures")
    assert failures == [(3, "3.jpg", "crashes the decoder")]
    assert rows(stage, "SELECT count(*) FROM media_assets") == [(7,)]
    assert len([each for each in (tmp_path / "proxies").rglob("*") if each.is_file()]) == 14
    assert worker.process.poll() is None
