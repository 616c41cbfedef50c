"""What the doctor says of an installation, and with which exit code."""

import json
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine
from typing_extensions import override

from adapters.postgres.engine import PostgresAddress
from application.ports.installation_signs import InstallationSigns, WorkerSigns
from entrypoints.cli.doctor.database_checks import clock, worker
from entrypoints.cli.doctor.finding import State
from entrypoints.cli.doctor.mount_checks import folders, originals, within_limit
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.cli.test_commands import reaching, run
from tests.postgres_server import TestServer
from tests.process.hosts import scene

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
NOBODY = WorkerSigns(sessions=0, live_leases=0, lapsed_leases=0)


class Signs(InstallationSigns):
    def __init__(self, ahead: float = 0, found: WorkerSigns = NOBODY) -> None:
        self.ahead, self.found = ahead, found

    @override
    def time(self) -> datetime:
        return NOW + timedelta(seconds=self.ahead)

    @override
    def workers(self) -> WorkerSigns:
        return self.found


@pytest.mark.parametrize(
    ("ahead", "state", "said"),
    [
        (0, State.OK, "0.0 s"),
        (-4.5, State.OK, "this host is 4.5 s ahead of the database"),
        (90, State.WRONG, "this host is 90.0 s behind the database"),
        (-6, State.WRONG, "this host is 6.0 s ahead of the database"),
    ],
)
def test_a_clock_that_is_more_than_five_seconds_off_is_wrong(
    ahead: float, state: State, said: str
) -> None:
    found = clock(Signs(ahead), now=lambda: NOW)
    assert found.state is state
    assert said in found.said
    assert (found.advice is None) is (state is State.OK)


@pytest.mark.parametrize(
    ("signs", "state"),
    [
        (NOBODY, State.WRONG),
        (WorkerSigns(sessions=3, live_leases=0, lapsed_leases=0), State.OK),
        (WorkerSigns(sessions=0, live_leases=1, lapsed_leases=0), State.OK),
        (WorkerSigns(sessions=0, live_leases=0, lapsed_leases=2), State.WRONG),
    ],
)
def test_a_connection_or_a_lease_is_a_sign_of_a_worker(signs: WorkerSigns, state: State) -> None:
    assert worker(Signs(found=signs)).state is state


def test_items_left_running_are_told() -> None:
    found = worker(Signs(found=WorkerSigns(sessions=0, live_leases=0, lapsed_leases=2)))
    assert found.said == "no Worker is connected; 2 items were left running"


def test_folders_must_be_readable_and_below_the_root(tmp_path: Path) -> None:
    (tmp_path / "anna").mkdir()
    good = str(tmp_path / "anna")
    assert originals(tmp_path).state is State.OK
    assert folders(tmp_path, [good]).said == "1 active, all can be read"
    faulty = folders(tmp_path, [good, str(tmp_path / "ben"), "/elsewhere"])
    assert faulty.state is State.WRONG
    assert f"{tmp_path}/ben: No such file or directory" in faulty.said
    assert f"/elsewhere is not below WORKER__ROOT ({tmp_path})" in faulty.said
    assert good not in faulty.said


def test_a_disk_that_never_answers_is_not_waited_for() -> None:
    never = threading.Event()
    said = within_limit(lambda: str(never.wait(30)), seconds=0.05)
    never.set()
    assert said == "the disk does not answer within 0.05 s"


def examined(
    home: Path, *arguments: str, **environment: str
) -> tuple[int, dict[str, tuple[str, str, str | None]]]:
    done = run(home, "doctor", "--json", *arguments, **environment)
    found = json.loads(done.stdout)
    return done.returncode, {
        each["check"]: (each["state"], each["said"], each["advice"]) for each in found
    }


def mounts(home: Path) -> dict[str, str]:
    for name in ("originals", "proxies"):
        (home / name).mkdir(exist_ok=True)
    return {
        "WORKER__ROOT": str(home / "originals"),
        "WORKER__PROXY_PATH": str(home / "proxies"),
    }


@pytest.mark.postgres
@pytest.mark.once
@pytest.mark.process
def test_a_sound_installation_is_all_ok(
    database: PostgresAddress, engine: Engine, tmp_path: Path
) -> None:
    with scene(database, PostgresPorts(engine=engine), tmp_path) as stage:
        stage.start()
        status, found = examined(tmp_path, **reaching(database), **mounts(tmp_path))
    assert {check: state for check, (state, _, _) in found.items()} == dict.fromkeys(
        ("database", "schema", "clock", "originals", "folders", "proxies", "worker"), "ok"
    )
    assert next(iter(found)) == "database"
    assert status == 0


@pytest.mark.postgres
@pytest.mark.once
def test_what_is_wrong_comes_with_what_to_do(database: PostgresAddress, tmp_path: Path) -> None:
    broken = {"WORKER__ROOT": str(tmp_path / "no"), "WORKER__PROXY_PATH": "/proc"}
    status, found = examined(tmp_path, **reaching(database), **broken)
    assert status == 1
    wrong = {check: advice for check, (state, _, advice) in found.items() if state == "wrong"}
    assert set(wrong) == {"originals", "proxies", "worker"}
    assert "WORKER__ROOT" in str(wrong["originals"])
    assert "WORKER__PROXY_PATH" in str(wrong["proxies"])
    assert "anichron worker" in str(wrong["worker"])
    skipped = ("--skip", "originals", "--skip", "proxies", "--skip", "worker")
    status, found = examined(tmp_path, *skipped, **reaching(database), **broken)
    assert (status, list(found)) == (0, ["database", "schema", "clock", "folders"])


@pytest.mark.postgres
@pytest.mark.once
def test_a_schema_that_is_not_this_releases_sends_to_migrate(
    server: TestServer, database: PostgresAddress, tmp_path: Path
) -> None:
    with server.database(migrated=False) as empty:
        status, found = examined(tmp_path, **reaching(empty), **mounts(tmp_path))
    assert status == 1
    assert found["database"][0] == "ok"
    assert found["schema"][0] == "wrong"
    assert "anichron migrate" in str(found["schema"][2])
    assert found["worker"][0] == "unknown"
    with psycopg.connect(database.conninfo()) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    status, found = examined(tmp_path, **reaching(database), **mounts(tmp_path))
    assert (status, found["schema"][0]) == (1, "wrong")


def test_without_a_database_the_rest_is_still_looked_at(tmp_path: Path) -> None:
    where = {"POSTGRES_CONNECTION__HOST": "127.0.0.1", "POSTGRES_CONNECTION__PORT": "9"}
    status, found = examined(tmp_path, **where, **mounts(tmp_path))
    assert status == 1
    assert found["database"][0] == "wrong"
    assert "Connection refused" in found["database"][1]
    assert "POSTGRES_CONNECTION__HOST" in str(found["database"][2])
    assert found["originals"][0] == found["proxies"][0] == "ok"
    assert found["clock"][0] == found["worker"][0] == found["folders"][0] == "unknown"


def test_an_installation_that_is_not_started_is_told_to_be(tmp_path: Path) -> None:
    status, found = examined(tmp_path, **mounts(tmp_path))
    assert status == 1
    state, said, advice = found["database"]
    assert (state, said) == ("wrong", f"Anichron does not run in {tmp_path / 'home'}")
    assert str(advice).startswith("start it with `make run`")


def test_for_a_person_each_finding_is_a_line_with_its_advice_below(tmp_path: Path) -> None:
    where = {"POSTGRES_CONNECTION__HOST": "127.0.0.1", "POSTGRES_CONNECTION__PORT": "9"}
    done = run(tmp_path, "doctor", **where, **mounts(tmp_path))
    lines = done.stdout.splitlines()
    assert lines[0].startswith("WRONG  database   ")
    assert lines[1].strip().startswith("-> see that PostgreSQL runs")
    assert any(line.startswith("ok     originals ") for line in lines)
    assert done.stderr == ""
