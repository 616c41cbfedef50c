"""The API as an operator runs it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.engine import PostgresAddress
from tests.entrypoints.api.running_host import host_started_by, running_host

pytestmark = [pytest.mark.postgres, pytest.mark.process]


def test_the_host_serves_and_ends_when_told(database: PostgresAddress, tmp_path: Path) -> None:
    with running_host(database, tmp_path) as host:
        connection = host.connect()
        connection.request("GET", "/api/v1/readyz")
        assert json.load(connection.getresponse()) == {"status": "ready"}
        connection.request("GET", "/api/v1/admin/users")
        refused = connection.getresponse()
        found = (refused.status, refused.headers["Content-Type"])
        assert found == (401, "application/problem+json")
        refused.read()
        assert host.stop() < 4
        assert host.process.returncode == 0
        assert "Traceback" not in host.log.read_text()


def test_hosts_of_one_home_share_the_secret(database: PostgresAddress, tmp_path: Path) -> None:
    with running_host(database, tmp_path), running_host(database, tmp_path):
        assert len((tmp_path / "jwt-secret").read_text()) >= 43


def test_every_line_of_the_log_is_json_where_asked_for(
    database: PostgresAddress, tmp_path: Path
) -> None:
    with running_host(database, tmp_path, LOG_FORMAT="json") as host:
        host.stop()
        lines = [json.loads(line) for line in host.log.read_text().splitlines()]
    assert {line["host"] for line in lines} == {"api"}
    assert any("Listening at" in line["event"] for line in lines)


LIMITED = ("sh", "-c", 'ulimit -n 1000 && exec "$@"', "sh")


def test_fewer_connections_than_asked_for_are_told_once(
    database: PostgresAddress, tmp_path: Path
) -> None:
    asked = {"LOG_FORMAT": "json", "HTTP__MAX_CONNECTIONS": "801"}
    with host_started_by(LIMITED, database, tmp_path, **asked) as host:
        host.stop()
        lines = [json.loads(line) for line in host.log.read_text().splitlines()]
    told = [line for line in lines if "HTTP__MAX_CONNECTIONS" in line["event"]]
    assert [line["level"] for line in told] == ["warning"]
    assert told[0]["event"] == (
        "HTTP__MAX_CONNECTIONS is 801, and 800 are accepted: each takes an open file,"
        " of which this process may not have more"
    )


def test_as_many_connections_as_there_is_room_for_need_no_word(
    database: PostgresAddress, tmp_path: Path
) -> None:
    asked = {"HTTP__MAX_CONNECTIONS": "800"}
    with host_started_by(LIMITED, database, tmp_path, **asked) as host:
        host.stop()
        assert "HTTP__MAX_CONNECTIONS" not in host.log.read_text()


def test_a_wrong_schema_stops_the_start_with_one_line(
    database: PostgresAddress, engine: Engine, tmp_path: Path
) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    with pytest.raises(AssertionError) as failure, running_host(database, tmp_path):
        pass
    said = str(failure.value)
    assert "the API can't start: the schema is at 0001; this release needs " in said
    assert "Traceback" not in said


def test_a_host_without_its_database_is_alive_and_comes_round(
    database: PostgresAddress, tmp_path: Path
) -> None:
    if not database.host.startswith("/"):
        pytest.skip("needs a server on a socket, which can be hidden")
    (tmp_path / "run").symlink_to(tmp_path / "absent")
    with running_host(replace(database, host=str(tmp_path / "run")), tmp_path) as host:
        connection = host.connect()
        connection.request("GET", "/api/v1/readyz")
        assert connection.getresponse().status == 503
        (tmp_path / "run").unlink()
        (tmp_path / "run").symlink_to(database.host)
        connection = host.connect()
        connection.request("GET", "/api/v1/readyz")
        assert connection.getresponse().status == 200
