"""The database goes away under load, and the outcome can't be written (Q8)."""

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import Engine, text

from adapters.embedded_postgres.server import EmbeddedPostgres
from application.ports.work_queue import NewWorkItem
from domain.work.status import WorkStatus
from tests.concurrency.crowd import all_at_once
from tests.contracts.harness import PostgresPorts
from tests.crawl.pictures import photo, write
from tests.entrypoints.api.running_host import RunningHost, running_host
from tests.postgres_server import FAST, TestServer, engine_at
from tests.process.hosts import Scene, Worker, eventually, scene
from tests.process.replicated import DATABASE, address
from tests.soak.samples import children_of

AWAY_SECONDS = 20
MOST_LINES_A_SECOND = 20  # of four Workers: claims, beats, recovery, schedules and outcomes
LEAST_IDLE = 0.8


@pytest.fixture
def lone_server() -> Iterator[EmbeddedPostgres]:
    base = Path(tempfile.mkdtemp(prefix="pg-"))
    base.chmod(0o755)
    server = EmbeddedPostgres(base=base, options=FAST)
    try:
        server.start()
        TestServer(address(server), "embedded").prepare_template(DATABASE)
        yield server
    finally:
        server.stop()
        shutil.rmtree(base, ignore_errors=True)


@pytest.mark.process
@pytest.mark.timeout(240)
def test_a_restart_of_20_seconds_under_four_busy_workers(
    lone_server: EmbeddedPostgres, tmp_path: Path
) -> None:
    at = TestServer(address(lone_server), "embedded").at(DATABASE)
    with engine_at(at) as engine, scene(at, PostgresPorts(engine=engine), tmp_path) as stage:
        workers = [stage.start() for _ in range(4)]
        items = [stage.enqueue("work", 0.5) for _ in range(40)]
        eventually(lambda: len(stage.ledger) > 12)
        lone_server.stop()
        said, burnt = lines_of(workers), seconds_burnt(workers)
        time.sleep(AWAY_SECONDS)
        said, burnt = lines_of(workers) - said, seconds_burnt(workers) - burnt
        lone_server.start()
        engine.dispose()
        for item in items:
            stage.until(item, WorkStatus.SUCCEEDED, 60)
        assert [worker.process.poll() for worker in workers] == [None] * 4
        assert said < MOST_LINES_A_SECOND * AWAY_SECONDS
        assert burnt < (1 - LEAST_IDLE) * AWAY_SECONDS * len(workers)
        ends = [line["item"] for line in stage.ledger if line["event"] == "end"]
        assert set(ends) == {str(item) for item in items}


@pytest.mark.process
def test_a_crawl_that_loses_its_database_is_begun_anew_at_once(
    lone_server: EmbeddedPostgres, tmp_path: Path
) -> None:
    """The next run of a failed one would be hours away, and the first crawl takes as long."""
    for number in range(4):
        write(tmp_path / "originals" / f"{number}.jpg", photo(number))
    at = TestServer(address(lone_server), "embedded").at(DATABASE)
    with (
        engine_at(at) as engine,
        scene(at, PostgresPorts(engine=engine), tmp_path) as stage,
    ):
        config = stage.ports.add_config()
        root = str(tmp_path / "originals")
        stage.ports.run(
            "UPDATE storage_configs SET root_path = :root WHERE id = :id", root=root, id=config
        )
        item = stage.ports.queue.enqueue(
            NewWorkItem(
                id=uuid4(),
                kind="Crawl",
                payload={"kind": "Crawl", "storage_config_id": str(config)},
                storage_config_id=config,
                dedup_key=f"crawl:{config}",
            )
        ).id
        with engine.connect() as holder:
            holder.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            holder.execute(text(HOLD), {"config": config})
            worker = stage.start(
                TEST_RUNNER="entrypoints.worker.runner",
                WORKER__ROOT=str(tmp_path),
                WORKER__PROXY_PATH=str(tmp_path / "proxies"),
                WORKER__MAX_CONCURRENT_FILES="1",
                QUEUE__LEASE_SECONDS="30",
                POSTGRES_CONNECTION__LOCK_TIMEOUT_SECONDS="60",
                POSTGRES_CONNECTION__STATEMENT_TIMEOUT_SECONDS="60",
            )
            eventually(lambda: stage.item(item).progress.done == 2, 30, worker.log.read_text)
            lone_server.stop()
            holder.invalidate()
        lone_server.start()
        engine.dispose()
        ended = stage.until(item, WorkStatus.SUCCEEDED, 30)
    assert (ended.attempt, ended.stalls, ended.progress.done) == (2, 1, 4)
    assert "the handler lost the database" in worker.log.read_text()


# A crawl that comes to the third of its files waits for the end of this transaction.
HOLD = """
INSERT INTO source_files (
    storage_config_id, path, display_path, size, mtime_ns, outcome, reason
) VALUES (:config, convert_to('2.jpg', 'UTF8'), '2.jpg', 1, 1, 'skipped', 'held')
"""


def lines_of(workers: list[Worker]) -> int:
    return sum(worker.log.read_bytes().count(b"\n") for worker in workers)


def seconds_burnt(workers: list[Worker]) -> float:
    """Of the processor, by the keepers."""
    stats = [Path(f"/proc/{worker.process.pid}/stat").read_text() for worker in workers]
    ticks = sum(sum(map(int, stat.rpartition(")")[2].split()[11:13])) for stat in stats)
    return ticks / os.sysconf("SC_CLK_TCK")


@pytest.mark.process
def test_a_frozen_database_lets_no_request_wait_for_its_turn_for_ever(
    lone_server: EmbeddedPostgres, tmp_path: Path
) -> None:
    """A hundred requests at once, of which a few at a time can ask the database."""
    at = TestServer(address(lone_server), "embedded").at(DATABASE)
    with running_host(at, tmp_path, HTTP__ANSWER_SECONDS="3") as host:
        assert lone_server.pid is not None
        frozen = [lone_server.pid, *children_of(lone_server.pid)]
        for pid in frozen:
            os.kill(pid, signal.SIGSTOP)
        try:
            answers = all_at_once([lambda: answered(host)] * 100)
        finally:
            for pid in frozen:
                os.kill(pid, signal.SIGCONT)
    assert {status for status, _ in answers} == {503}
    assert max(seconds for _, seconds in answers) < MOST_ANSWER_SECONDS


MOST_ANSWER_SECONDS = 15  # three, and what a hundred requests cost a slow machine


def answered(host: RunningHost) -> tuple[int, float]:
    began = time.monotonic()
    with closing(host.connect()) as connection:
        connection.request("GET", "/api/v1/readyz")
        response = connection.getresponse()
        assert response.headers["Retry-After"] == "2"
        return response.status, time.monotonic() - began


# What the database says to the statements that finish an item, with the next claim along and alone:
# to try again, or never to.
BREAK_TWICE = """
CREATE SEQUENCE finishing;
GRANT USAGE ON SEQUENCE finishing TO anichron_worker;
CREATE FUNCTION break_twice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('finishing') <= 2 THEN
        RAISE EXCEPTION 'broken' USING ERRCODE = '{state}';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER break_twice BEFORE UPDATE ON work_items FOR EACH ROW
    WHEN (NEW.status = 'Succeeded') EXECUTE FUNCTION break_twice();
"""


@pytest.mark.postgres
@pytest.mark.process
@pytest.mark.parametrize(
    ("state", "ends"),
    [
        ("57014", WorkStatus.SUCCEEDED),
        ("40001", WorkStatus.SUCCEEDED),
        ("22023", WorkStatus.FAILED),
        ("XX000", WorkStatus.SUCCEEDED),
        ("P0001", WorkStatus.SUCCEEDED),
    ],
)
def test_a_finishing_statement_that_breaks_leaves_nothing_running(
    stage: Scene, engine: Engine, state: str, ends: WorkStatus
) -> None:
    with engine.begin() as connection:
        connection.execute(text(BREAK_TWICE.format(state=state)))
    worker = stage.start()
    item = stage.enqueue("return")
    found = stage.until(item, ends)
    assert stage.begun(item) == [1]
    assert found.stalls == 0
    after = stage.enqueue("return")
    stage.until(after, WorkStatus.SUCCEEDED)
    assert worker.process.poll() is None
