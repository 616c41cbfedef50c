"""What real hosts tell monitors, while they work and while they are stuck."""

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine

from adapters.postgres.engine import PostgresAddress
from domain.work.status import WorkStatus
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.api.running_host import free_port, running_host
from tests.process.hosts import ROOT, Scene, eventually
from tests.process.status_port import ask

pytestmark = [pytest.mark.postgres, pytest.mark.process, pytest.mark.once]


def value(text: str, series: str) -> float:
    """Of a series as Prometheus writes it, labels included."""
    [line] = [line for line in text.splitlines() if line.startswith(f"{series} ")]
    return float(line.rpartition(" ")[2])


def test_a_worker_tells_what_it_did(stage: Scene) -> None:
    port = free_port()
    ids = [stage.enqueue("return"), stage.enqueue("raise"), stage.enqueue("exit")]
    worker = stage.start(STATUS__WORKER_PORT=str(port), QUEUE__STALL_LIMIT="1")
    stage.until(ids[0], WorkStatus.SUCCEEDED)
    stage.until(ids[1], WorkStatus.FAILED)
    stage.until(ids[2], WorkStatus.FAILED)
    stage.until(stage.enqueue("work", seconds=1), WorkStatus.SUCCEEDED)
    status, text = ask(port, "/metrics")
    assert status == 200
    assert value(text, 'anichron_claim_seconds_count{answer="item"}') == 4
    assert value(text, 'anichron_run_seconds_count{kind="Script",outcome="Succeeded"}') == 2
    assert value(text, 'anichron_run_seconds_count{kind="Script",outcome="Failed"}') == 1
    assert value(text, 'anichron_run_seconds_sum{kind="Script",outcome="Succeeded"}') > 1
    assert value(text, 'anichron_stalls_total{cause="death"}') == 1
    assert value(text, 'anichron_recoveries_total{status="Failed"}') == 1
    assert value(text, 'anichron_heartbeat_seconds_count{answer="written"}') >= 2
    assert value(text, "process_resident_memory_bytes") > 1_000_000
    assert ask(port, "/readyz") == (200, "ready\n")
    assert ask(port, "/healthz") == (200, "alive\n")
    worker.process.terminate()
    assert worker.wait() == 0
    assert ask(port, "/healthz")[0] == 0


@pytest.mark.parametrize("loop", ["main", "recovery", "heartbeat"])
def test_a_worker_whose_loop_is_stuck_says_which(stage: Scene, loop: str) -> None:
    port = free_port()
    log = stage.folder / "stuck.log"
    environment = stage.environment(
        STUCK=loop,
        STATUS__WORKER_PORT=str(port),
        STATUS__STUCK_SECONDS="0.5",
        WORKER__START_TIMEOUT_SECONDS="10" if loop != "main" else "4",
    )
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.process.stuck_worker"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=output,
        )
    try:
        if loop == "main":  # it never looks into its inbox
            eventually(lambda: b"ready to work" in log.read_bytes(), 30, log.read_text)
            assert ask(port, "/readyz") == (503, "starting\n")
        else:
            eventually(lambda: ask(port, "/readyz") == (503, f"stuck: {loop}\n"), 30, log.read_text)
            assert ask(port, "/healthz") == (503, f"stuck: {loop}\n")
    finally:
        process.kill()
        process.wait(10)


def test_a_worker_whose_port_is_taken_does_not_start(stage: Scene) -> None:
    port = free_port()
    stage.start(STATUS__WORKER_PORT=str(port))
    second = subprocess.run(
        [sys.executable, "-m", "entrypoints.cli.main", "worker"],
        cwd=ROOT,
        env=stage.environment(STATUS__WORKER_PORT=str(port)),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert second.returncode == 2
    assert second.stderr.splitlines()[-1].startswith("STATUS__WORKER_PORT: cannot listen on")


def test_the_api_tells_of_the_queue_on_another_port_only(
    database: PostgresAddress, engine: Engine, tmp_path: Path
) -> None:
    port, ports = free_port(), PostgresPorts(engine=engine)
    ports.enqueue("Crawl")
    with running_host(database, tmp_path, STATUS__API_PORT=str(port)) as host:
        status, text = ask(port, "/metrics")
        assert status == 200
        assert value(text, 'anichron_work_items{kind="Crawl",status="Queued"}') == 1
        assert value(text, 'anichron_oldest_queued_seconds{scope="unscoped"}') > 0
        assert value(text, "anichron_queue_readable") == 1
        assert value(text, "anichron_streams_open") == 0
        assert ask(port, "/readyz") == (200, "ready\n")
        assert ask(host.port, "/metrics")[0] == 404
        ports.run("UPDATE alembic_version SET version_num = '0001'")
        status, said = ask(port, "/readyz")
        assert (status, "0001" in said) == (503, True)
        assert ask(port, "/healthz") == (200, "alive\n")
