"""The `anichron` command as a person runs it: a real process, its output and its exit code."""

import json
import re
from pathlib import Path

import psycopg
import pytest

from adapters.postgres.engine import PostgresAddress
from tests.entrypoints.cli.command import Anichron, run
from tests.postgres_server import ROLE_PASSWORD, TestServer, connection_variables

COMMANDS = [
    *(["up"], ["api"], ["worker"], ["migrate"], ["settings"], ["doctor"]),
    *(["users", each] for each in ("add", "list", "disable", "reset-password")),
    *(["storage", each] for each in ("add", "list", "activate", "deactivate", "remove")),
    *(["work", each] for each in ("list", "show", "watch", "cancel")),
]


def test_every_command_has_help_with_an_example(anichron: Anichron) -> None:
    for command in COMMANDS:
        assert "Example:" in anichron(*command, "--help").stdout


def test_an_unknown_command_is_one_complaint(anichron: Anichron) -> None:
    result = anichron("fly")
    assert result.returncode == 2
    assert "No such command 'fly'" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.postgres
def test_users_are_added_listed_and_disabled(with_database: Anichron) -> None:
    added = with_database("users", "add", "Anna", "anna@example.org", "--admin")
    assert added.returncode == 0, added.stderr
    assert re.search(r"^password: \S{20,}$", added.stdout, re.MULTILINE)
    ben = with_database("users", "add", "ben", "ben@example.org", ANICHRON_PASSWORD="long enough")
    assert "password" not in ben.stdout
    again = with_database("users", "add", "ANNA", "other@example.org")
    assert again.returncode == 2
    assert len(again.stderr.splitlines()) == 1
    assert "name" in again.stderr
    assert with_database("users", "disable", "BEN@example.org").returncode == 0
    listed = json.loads(with_database("users", "list", "--json").stdout)
    assert [(u["name"], u["isAdmin"], u["isDisabled"]) for u in listed] == [
        ("Anna", True, False),
        ("ben", False, True),
    ]
    heads, anna, _ = with_database("users", "list").stdout.splitlines()
    assert heads.split() == ["ID", "NAME", "E-MAIL", "ROLE", "STATE"]
    assert anna.split()[1:] == ["Anna", "anna@example.org", "admin", "enabled"]
    last = with_database("users", "disable", "anna")
    assert last.returncode == 2
    assert "last enabled admin" in last.stderr


@pytest.mark.postgres
def test_a_users_password_is_reset(with_database: Anichron) -> None:
    with_database("users", "add", "anna", "anna@example.org")
    reset = with_database("users", "reset-password", "anna")
    assert re.search(r"^password: \S{20,}$", reset.stdout, re.MULTILINE)
    missing = with_database("users", "reset-password", "nobody")
    assert (missing.returncode, missing.stderr) == (2, "there is no user named nobody\n")


@pytest.mark.postgres
def test_folders_are_registered_deactivated_and_removed(with_database: Anichron) -> None:
    with_database("users", "add", "anna", "anna@example.org")
    added = with_database("storage", "add", "anna", "/photos//anna", "--time-zone", "Asia/Tokyo")
    assert added.returncode == 0, added.stderr
    assert added.stderr == (
        "note: /photos/anna is no folder on this machine; a crawl fails until its Worker finds it"
        " there\n"
    )
    nested = with_database("storage", "add", "anna", "/photos/anna/2020")
    assert nested.returncode == 2
    assert re.fullmatch(
        r"PATH: overlaps /photos/anna \([-0-9a-f]{36}\); a folder can be registered once only\n",
        nested.stderr,
    )
    relative = with_database("storage", "add", "anna", "Pictures")
    assert (relative.returncode, relative.stderr) == (
        2,
        "PATH: Pictures must be an absolute path\n",
    )
    bad = with_database("storage", "add", "anna", "/other", "--time-zone", "Mars/Base")
    assert (bad.returncode, len(bad.stderr.splitlines())) == (2, 1)
    [config] = json.loads(with_database("storage", "list", "--json").stdout)
    assert (config["rootPath"], config["timeZone"], config["isActive"]) == (
        "/photos/anna",
        "Asia/Tokyo",
        True,
    )
    heads, row = with_database("storage", "list").stdout.splitlines()
    assert heads.split() == ["ID", "OWNER", "STATE", "TIME", "ZONE", "FOLDER"]
    assert row.split() == [config["id"], "anna", "active", "Asia/Tokyo", "/photos/anna"]
    with_database("storage", "deactivate", config["id"])
    [config] = json.loads(with_database("storage", "list", "--json").stdout)
    assert config["isActive"] is False
    unsure = with_database("storage", "remove", config["id"])
    assert (unsure.returncode, unsure.stderr) == (1, "nothing was done\n")
    assert with_database("storage", "remove", config["id"], "--yes").returncode == 0
    assert json.loads(with_database("storage", "list", "--json").stdout) == []


@pytest.mark.postgres
def test_a_worker_of_a_user_that_does_not_exist_does_not_start(with_database: Anichron) -> None:
    result = with_database("worker", WORKER__USER="nobody")
    assert result.returncode == 2
    assert result.stderr == "WORKER__USER: there is no user named nobody\n"


@pytest.mark.postgres
def test_a_worker_does_not_start_on_a_schema_that_is_not_its_own(
    server: TestServer, tmp_path: Path
) -> None:
    with server.database(migrated=False) as empty:
        result = run(tmp_path, "worker", **connection_variables(empty))
    assert result.returncode == 2
    assert "the schema is at no revision; this release needs" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.postgres
def test_commands_before_the_first_migration_are_one_line(
    server: TestServer, tmp_path: Path
) -> None:
    with server.database(migrated=False) as empty:
        for command in ("users", "storage"):
            result = run(tmp_path, command, "list", **connection_variables(empty))
            assert result.returncode == 2
            assert result.stderr.startswith("the schema is at no revision; this release needs")
            assert len(result.stderr.splitlines()) == 1


@pytest.mark.postgres
def test_a_newer_releases_schema_is_left_alone_in_one_line(
    database: PostgresAddress, tmp_path: Path
) -> None:
    with psycopg.connect(database.conninfo()) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    result = run(tmp_path, "migrate", **connection_variables(database))
    assert result.returncode == 2
    assert result.stderr.startswith("the schema is at 9999; this release needs")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.postgres
def test_migrate_brings_an_empty_database_up_to_date(server: TestServer, tmp_path: Path) -> None:
    with server.database(migrated=False) as empty:
        for _ in range(2):
            result = run(tmp_path, "migrate", **connection_variables(empty))
            assert (result.returncode, result.stdout) == (0, "the schema is up to date\n")
        assert run(tmp_path, "users", "list", **connection_variables(empty)).returncode == 0


@pytest.mark.postgres
def test_migrate_gives_the_roles_their_passwords_hashed(server: TestServer, tmp_path: Path) -> None:
    """A role is the whole server's, so the password is the one that the tests give it anyway."""
    with server.database(migrated=False) as empty:
        given = {"ROLE_PASSWORDS__API": ROLE_PASSWORD, "ROLE_PASSWORDS__WORKER": ROLE_PASSWORD}
        result = run(tmp_path, "migrate", **connection_variables(empty), **given)
        assert (result.returncode, result.stderr) == (0, "")
        with psycopg.connect(server.at(empty.dbname).conninfo()) as connection:
            stored = connection.execute(
                "SELECT rolpassword FROM pg_authid WHERE rolname LIKE 'anichron\\_%'"
            ).fetchall()
    assert len(stored) == 2
    assert all(each.startswith("SCRAM-SHA-256$") for (each,) in stored)


def test_a_database_that_refuses_says_where_and_why(anichron: Anichron) -> None:
    where = {"POSTGRES_CONNECTION__HOST": "127.0.0.1", "POSTGRES_CONNECTION__PORT": "9"}
    result = anichron("migrate", **where)
    assert result.returncode == 3
    assert "127.0.0.1" in result.stderr
    assert "Connection refused" in result.stderr


@pytest.mark.parametrize("command", [("users", "list"), ("storage", "list"), ("migrate",)])
def test_what_needs_a_running_installation_says_how_to_start_one(
    anichron: Anichron, tmp_path: Path, command: tuple[str, ...]
) -> None:
    result = anichron(*command)
    assert result.returncode == 3
    assert result.stderr == (
        f"Anichron does not run in {tmp_path / 'home'}; start it with `make run` or `anichron up`,"
        " or name another database in POSTGRES_CONNECTION__HOST\n"
    )


@pytest.mark.postgres
def test_a_folder_that_is_there_is_registered_without_a_note(
    with_database: Anichron, tmp_path: Path
) -> None:
    with_database("users", "add", "anna", "anna@example.org")
    assert with_database("storage", "add", "anna", str(tmp_path)).stderr == ""


def test_no_database_is_one_line(anichron: Anichron) -> None:
    for command in (["worker"], ["migrate"], ["users", "list"]):
        result = anichron(*command)
        assert result.returncode == 3, result.stderr
        assert len(result.stderr.splitlines()) == 1, result.stderr
        assert "Traceback" not in result.stderr


def test_a_terminal_that_lacks_a_sign_shows_a_question_mark(with_database: Anichron) -> None:
    added = with_database("users", "add", "s\N{SNOWMAN}", "s@example.org", PYTHONIOENCODING="ascii")
    assert added.returncode == 0, added.stderr
    listed = with_database("users", "list", PYTHONIOENCODING="ascii")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "s?" in listed.stdout
