"""What the doctor says of an installation, and with which exit code."""

import json
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from sqlalchemy import Engine
from typing_extensions import override

from adapters.postgres.engine import PostgresAddress
from application.ports.installation_signs import InstallationSigns
from application.ports.worker_directory import SeenWorker, WorkersSeen
from application.ports.worker_register import WorkerIdentity
from domain.library.storage_config import StorageConfig
from entrypoints.cli.doctor.database_checks import clock
from entrypoints.cli.doctor.finding import State
from entrypoints.cli.doctor.mount_checks import folders, originals, within_limit
from entrypoints.cli.doctor.worker_check import longest_silence, worker
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.cli.command import run
from tests.postgres_server import TestServer, connection_variables, engine_at
from tests.process.hosts import scene

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


class Signs(InstallationSigns):
    def __init__(self, ahead: float) -> None:
        self.ahead = ahead

    @override
    def time(self) -> datetime:
        return NOW + timedelta(seconds=self.ahead)

    @override
    def lapsed_leases(self) -> int:
        return 0


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


def folder(owner: UUID, path: str) -> StorageConfig:
    return StorageConfig(
        id=uuid4(),
        user_id=owner,
        root_path=path,
        time_zone="UTC",
        is_active=True,
        created_at=NOW,
    )


def seen(*workers: tuple[str, UUID | None, float]) -> WorkersSeen:
    """Name, whom it serves, for how many seconds it has been silent."""
    found = [
        SeenWorker(
            identity=WorkerIdentity(
                id=uuid4(), name=name, user_id=user_id, host="nas", version="0.1.0"
            ),
            started_at=NOW - timedelta(hours=1),
            seen_at=NOW - timedelta(seconds=silent),
            item_id=None,
        )
        for name, user_id, silent in workers
    ]
    return WorkersSeen(workers=found, server_time=NOW)


ANNA, BEN = uuid4(), uuid4()
PHOTOS = [folder(ANNA, "/data/anna"), folder(BEN, "/data/ben")]
SILENCE = timedelta(seconds=30)


@pytest.mark.parametrize(
    ("workers", "state", "said"),
    [
        ([], State.WRONG, "no Worker was ever seen"),
        ([("all@nas", None, 2)], State.OK, "1 there: all@nas"),
        ([("all@nas", None, 90)], State.WRONG, "no Worker is there; all@nas was seen 90 s ago"),
        (
            [("ben@nas", BEN, 1), ("anna@nas", ANNA, 29)],
            State.OK,
            "2 there: anna@nas, ben@nas",
        ),
        (
            [("ben@nas", BEN, 1), ("anna@nas", ANNA, 31)],
            State.WRONG,
            "there: ben@nas; nobody serves /data/anna",
        ),
    ],
)
def test_a_worker_must_be_there_for_each_active_folder(
    workers: list[tuple[str, UUID | None, float]], state: State, said: str
) -> None:
    found = worker(seen(*workers), SILENCE, PHOTOS, lapsed=0)
    assert (found.state, found.said) == (state, said)


def test_one_that_has_just_stopped_is_not_there() -> None:
    told = seen(("all@nas", None, 4))
    [one] = told.workers
    stopped = replace(one, stopped_at=one.seen_at)
    found = worker(replace(told, workers=[stopped]), SILENCE, PHOTOS, lapsed=0)
    assert (found.state, found.said) == (
        *(State.WRONG, "no Worker is there; all@nas stopped 4 s ago"),
    )


def test_items_left_running_are_told() -> None:
    found = worker(seen(("all@nas", None, 90)), SILENCE, PHOTOS, lapsed=2)
    assert found.said == "no Worker is there; all@nas was seen 90 s ago; items left running: 2"


def test_only_some_of_many_folders_are_named() -> None:
    many = [folder(ANNA, f"/data/{number}") for number in range(5)]
    found = worker(seen(("ben@nas", BEN, 1)), SILENCE, many, lapsed=0)
    assert found.said == "there: ben@nas; nobody serves /data/0, /data/1, /data/2 and 2 more"


@pytest.mark.parametrize(("poll", "silence"), [(2, 30), (10, 30), (60, 180)])
def test_whoever_polls_seldom_may_be_silent_for_longer(poll: int, silence: int) -> None:
    assert longest_silence(timedelta(seconds=poll)) == timedelta(seconds=silence)


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
        status, found = examined(tmp_path, **connection_variables(database), **mounts(tmp_path))
    assert {check: state for check, (state, _, _) in found.items()} == dict.fromkeys(
        ("database", "schema", "clock", "originals", "folders", "proxies", "worker"), "ok"
    )
    assert next(iter(found)) == "database"
    assert status == 0


@pytest.mark.postgres
@pytest.mark.once
def test_a_session_and_a_lease_of_a_frozen_worker_are_no_signs_of_life(
    database: PostgresAddress, engine: Engine, tmp_path: Path
) -> None:
    ports = PostgresPorts(engine=engine)
    ports.enqueue()
    ports.claim()
    ports.run(
        "INSERT INTO workers (id, name, host, version, seen_at) VALUES (gen_random_uuid(),"
        " 'all@nas', 'nas', '0.1.0', clock_timestamp() - interval '40 s')"
    )
    with engine_at(database, name="anichron-worker") as frozen, frozen.connect():
        _, found = examined(tmp_path, **connection_variables(database), **mounts(tmp_path))
    assert found["worker"][0] == "wrong"
    assert "all@nas was seen 4" in found["worker"][1]


@pytest.mark.postgres
@pytest.mark.once
def test_folders_of_a_disabled_owner_are_nobodys_business(
    database: PostgresAddress, engine: Engine, tmp_path: Path
) -> None:
    ports = PostgresPorts(engine=engine)
    owner = ports.add_user()
    ports.add_config(owner)
    given = {**connection_variables(database), **mounts(tmp_path)}
    assert examined(tmp_path, **given)[1]["folders"][0] == "wrong"
    ports.disable_user(owner)
    assert examined(tmp_path, **given)[1]["folders"][:2] == ("ok", "0 active, all can be read")


@pytest.mark.postgres
@pytest.mark.once
def test_what_is_wrong_comes_with_what_to_do(database: PostgresAddress, tmp_path: Path) -> None:
    broken = {"WORKER__ROOT": str(tmp_path / "no"), "WORKER__PROXY_PATH": "/proc"}
    status, found = examined(tmp_path, **connection_variables(database), **broken)
    assert status == 1
    wrong = {check: advice for check, (state, _, advice) in found.items() if state == "wrong"}
    assert set(wrong) == {"originals", "proxies", "worker"}
    assert "WORKER__ROOT" in str(wrong["originals"])
    assert "WORKER__PROXY_PATH" in str(wrong["proxies"])
    assert "anichron worker" in str(wrong["worker"])
    skipped = ("--skip", "originals", "--skip", "proxies", "--skip", "worker")
    status, found = examined(tmp_path, *skipped, **connection_variables(database), **broken)
    assert (status, list(found)) == (0, ["database", "schema", "clock", "folders"])


@pytest.mark.postgres
@pytest.mark.once
def test_a_schema_that_is_not_this_releases_sends_to_migrate(
    server: TestServer, database: PostgresAddress, tmp_path: Path
) -> None:
    with server.database(migrated=False) as empty:
        status, found = examined(tmp_path, **connection_variables(empty), **mounts(tmp_path))
    assert status == 1
    assert found["database"][0] == "ok"
    assert found["schema"][0] == "wrong"
    assert "anichron migrate" in str(found["schema"][2])
    assert found["worker"][0] == "unknown"
    with psycopg.connect(database.conninfo()) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    status, found = examined(tmp_path, **connection_variables(database), **mounts(tmp_path))
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
