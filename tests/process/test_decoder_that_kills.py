"""A picture that kills its decoder stops no crawl: real Workers, real deaths."""

from pathlib import Path
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from domain.work.item import WorkItem
from domain.work.status import WorkStatus
from tests.crawl.pictures import photo, write
from tests.process.hosts import Scene, Worker, eventually
from tests.process.killer_decoder import KILLER, READERS_KILLER

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


def finished_crawl(stage: Scene, tmp_path: Path, **settings: str) -> tuple[Worker, WorkItem]:
    """A real Worker brings the folder in, however often its runner dies."""
    registered(stage, tmp_path / "originals")
    worker = stage.start(
        TEST_RUNNER="tests.process.killer_runner",
        WORKER__ROOT=str(tmp_path),
        WORKER__PROXY_PATH=str(tmp_path / "proxies"),
        **settings,
    )
    found: list[tuple[object, ...]] = []

    def ended() -> bool:
        found[:] = rows(
            stage, "SELECT id FROM work_items WHERE kind = 'Crawl' AND finished_at > '1900-01-01'"
        )
        return bool(found)

    eventually(ended, 60, worker.log.read_text)
    item_id = found[0][0]
    assert isinstance(item_id, UUID)
    return worker, stage.item(item_id)


def proxy_files(tmp_path: Path) -> int:
    return sum(each.is_file() for each in (tmp_path / "proxies").rglob("*"))


@pytest.mark.parametrize("killer", [KILLER, READERS_KILLER])
def test_a_file_that_kills_twice_is_passed_over_and_named(
    stage: Scene, tmp_path: Path, killer: bytes
) -> None:
    for number in range(8):
        write(tmp_path / "originals" / f"{number}.jpg", photo(number))
    write(tmp_path / "originals" / "3.jpg", photo(3) + killer)
    worker, item = finished_crawl(stage, tmp_path)
    assert (item.status, item.attempt, item.stalls) == (WorkStatus.SUCCEEDED, 2, 1)
    assert item.result is not None
    assert item.result["failedByReason"] == {"crashes the decoder": 1}
    assert item.result["found"] == 8
    failures = rows(stage, "SELECT attempt, display_path, reason FROM crawl_failures")
    assert failures == [(2, "3.jpg", "crashes the decoder")]
    assert rows(stage, "SELECT count(*) FROM media_assets") == [(7,)]
    assert proxy_files(tmp_path) == 14
    assert worker.process.poll() is None


def test_the_third_attempt_finishes_the_rest_whatever_number_of_files_kills(
    stage: Scene, tmp_path: Path
) -> None:
    killers = {1: KILLER, 4: READERS_KILLER, 6: KILLER, 7: KILLER}
    for number in range(8):
        content = photo(number) + killers.get(number, b"")
        write(tmp_path / "originals" / f"{number}.jpg", content)
    worker, item = finished_crawl(stage, tmp_path, WORKER__MAX_CONCURRENT_FILES="1")
    assert (item.status, item.attempt, item.stalls) == (WorkStatus.SUCCEEDED, 3, 2)
    failures = rows(
        stage, "SELECT attempt, display_path, reason FROM crawl_failures ORDER BY display_path"
    )
    expected = [(3, f"{number}.jpg", "crashes the decoder") for number in sorted(killers)]
    assert failures == expected, (item.result, worker.log.read_text())
    assert item.result is not None
    assert item.result["failedByReason"] == {"crashes the decoder": 4}
    assert rows(stage, "SELECT count(*) FROM media_assets") == [(4,)]
    assert rows(stage, "SELECT count(*) FROM crawl_in_flight") == [(0,)]
    assert proxy_files(tmp_path) == 8
    assert worker.process.poll() is None
