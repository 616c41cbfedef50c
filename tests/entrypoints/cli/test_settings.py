"""What somebody sets, and what is said where that can't be: a real process, and its one line."""

import json
import socket
import threading
from pathlib import Path

import pytest

from entrypoints.cli.listening import check_listening
from entrypoints.common.settings import Settings
from tests.entrypoints.cli.command import Anichron


@pytest.mark.parametrize(
    ("variable", "value", "complaint"),
    [
        ("QUEUE__LEASE_SECONDS", "5", "QUEUE__LEASE_SECONDS must be at least three times"),
        ("QUEUE__HEARTBEAT_SECONDS", "0", "QUEUE__HEARTBEAT_SECONDS: Input should be greater"),
        ("QUEUE__HEARTBEAT_SECONDS", "soon", "QUEUE__HEARTBEAT_SECONDS: Input should be a valid"),
        (
            "QUEUE__HEARTBEAT_SECOND",
            "2",
            "QUEUE__HEARTBEAT_SECOND: there is no such setting; is QUEUE__HEARTBEAT_SECONDS meant?",
        ),
        ("QUEUE__SPEED", "2", "QUEUE__SPEED: there is no such setting\n"),
        ("QUEUE__POLL_SECONDS", "nan", "QUEUE__POLL_SECONDS: Input should be"),
        ("QUEUE__STALL_LIMIT", "0", "QUEUE__STALL_LIMIT: Input should be greater"),
        ("QUEUE__RETENTION_DAYS", "1", "must be shorter than QUEUE__RETENTION_DAYS"),
        ("WORKER__CRAWL_INTERVAL_HOURS", "720", "WORKER__CRAWL_INTERVAL_HOURS must be shorter"),
        ("WORKER__ROOT", "photos", "WORKER__ROOT: must be an absolute path"),
        (
            "HTTP__TRUSTED_PROXIES",
            "10.0.0.1,proxy",
            "HTTP__TRUSTED_PROXIES: 'proxy' does not appear to be an IPv4 or IPv6 network",
        ),
        (
            "HTTP__TRUSTED_PROXIES",
            "10.0.0.1/8",
            "HTTP__TRUSTED_PROXIES: 10.0.0.1/8 has host bits set",
        ),
        ("WORK_ITEM_EVENTS__LOOKBACK_SECONDS", "8", "QUEUE__TRANSACTION_TIMEOUT_SECONDS must be"),
        ("WORK_ITEM_EVENTS__KEEP_ALIVE_SECONDS", "16", "WORK_ITEM_EVENTS__KEEP_ALIVE_SECONDS:"),
        (
            "WORKER",
            "abc",
            "WORKER: is a group of settings and no setting; its members are WORKER__",
        ),
        ("PORT", "99999", "PORT: Input should be less"),
        ("JWT__SECRET", "short", "JWT__SECRET: "),
        ("POSTGRES_CONNECTION__PORT", "0", "POSTGRES_CONNECTION__PORT: Input should be greater"),
    ],
)
def test_a_setting_out_of_range_is_one_line_that_names_it(
    anichron: Anichron, variable: str, value: str, complaint: str
) -> None:
    result = anichron("settings", **{variable: value})
    assert result.returncode == 2
    assert complaint in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["worker", "api", "up", "migrate"])
def test_no_host_starts_with_a_setting_out_of_range(anichron: Anichron, command: str) -> None:
    result = anichron(command, QUEUE__LEASE_SECONDS="5")
    assert result.returncode == 2
    assert result.stderr == (
        "QUEUE__LEASE_SECONDS must be at least three times QUEUE__HEARTBEAT_SECONDS\n"
    )


def test_settings_show_every_variable_of_the_specification_with_its_default(
    anichron: Anichron,
) -> None:
    shown = json.loads(anichron("settings", "--json").stdout)
    expected = {
        "WORKER__USER": None,
        "WORKER__ROOT": "/data/originals",
        "WORKER__PROXY_PATH": "/data/proxies",
        "WORKER__CRAWL_INTERVAL_HOURS": 4,
        "WORKER__MAX_CONCURRENT_FILES": 4,
        "WORKER__TOKEN_CLEANUP_INTERVAL_HOURS": 24,
        "WORKER__SHUTDOWN_GRACE_SECONDS": 8,
        "WORKER__MAX_MEGAPIXELS": 300,
        "QUEUE__HEARTBEAT_SECONDS": 2,
        "QUEUE__LEASE_SECONDS": 60,
        "QUEUE__POLL_SECONDS": 2,
        "QUEUE__STALL_LIMIT": 3,
        "QUEUE__RETENTION_DAYS": 30,
        "QUEUE__RETENTION_INTERVAL_HOURS": 24,
        "QUEUE__SCHEDULE_SECONDS": 5,
        "WORK_ITEM_EVENTS__INTERVAL_SECONDS": 2,
        "WORK_ITEM_EVENTS__LOOKBACK_SECONDS": 10,
        "WORK_ITEM_EVENTS__KEEP_ALIVE_SECONDS": 15,
        "POSTGRES_CONNECTION__STATEMENT_TIMEOUT_SECONDS": 30,
        "JWT__ACCESS_MINUTES": 15,
        "JWT__REFRESH_DAYS": 30,
    }
    assert {name: shown[name] for name in expected} == expected


def test_settings_mask_secrets(anichron: Anichron) -> None:
    secrets = {
        "JWT__SECRET": "s" * 32 + "secret",
        "POSTGRES_CONNECTION__PASSWORD": "hush-hush",
    }
    for arguments in (("settings",), ("settings", "--json")):
        shown = anichron(*arguments, **secrets).stdout
        assert "********" in shown
        assert "sssecret" not in shown
        assert "hush" not in shown


def test_empty_variables_are_unset(anichron: Anichron) -> None:
    empty = {"ADDRESS": "", "POSTGRES_CONNECTION__HOST": "", "WORKER__USER": ""}
    shown = json.loads(anichron("settings", "--json", **empty).stdout)
    assert {name: shown[name] for name in empty} == {
        "ADDRESS": "127.0.0.1",
        "POSTGRES_CONNECTION__HOST": None,
        "WORKER__USER": None,
    }


def test_a_password_file_that_cannot_be_read_names_its_variable(anichron: Anichron) -> None:
    result = anichron("migrate", POSTGRES_CONNECTION__PASSWORD_FILE="/nope")
    assert result.returncode == 2
    assert result.stderr == (
        "POSTGRES_CONNECTION__PASSWORD_FILE: /nope cannot be read: No such file or directory\n"
    )


def test_a_database_url_is_refused_and_its_password_not_repeated(anichron: Anichron) -> None:
    url = "postgresql://anna:geheim@db.example.org/anichron"
    result = anichron("migrate", POSTGRES_CONNECTION__HOST=url)
    said = "POSTGRES_CONNECTION__HOST: must be a host name and no URL\n"
    assert (result.returncode, result.stderr) == (2, said)


def test_a_group_that_is_misspelt_is_told_and_another_programs_is_not(anichron: Anichron) -> None:
    others = {"QEUE__POLL_SECONDS": "1", "FOO__BAR_SECONDS": "1", "POLL_SECONDS": "1"}
    result = anichron("settings", "--json", **others)
    assert result.returncode == 0
    assert json.loads(result.stdout)["QUEUE__POLL_SECONDS"] == 2
    assert result.stderr == (
        "QEUE__POLL_SECONDS: there is no such setting, and nothing reads it;"
        " is QUEUE__POLL_SECONDS meant?\n"
    )


def test_a_status_that_is_none_is_named(anichron: Anichron) -> None:
    result = anichron("work", "list", "--status", "Done")
    assert result.returncode == 2
    assert result.stderr.startswith(
        "anichron work list: Invalid value for '--status': 'Done' is not one of "
    )


NOT_OURS = "Cannot assign requested address; it must be an address of this machine"
TAKEN = "Address already in use; choose another, such as PORT=8277"


@pytest.mark.parametrize(
    ("address", "setting", "why"),
    [("192.0.2.1", "ADDRESS", NOT_OURS), ("127.0.0.1", "PORT", TAKEN)],
)
def test_an_api_that_cannot_listen_says_so_in_a_line(
    anichron: Anichron, address: str, setting: str, why: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = anichron("api", ADDRESS=address, PORT=str(port))
    said = f"{setting}: cannot listen on {address}:{port}: {why}\n"
    assert (result.returncode, result.stderr) == (2, said)


def test_an_api_waits_for_whoever_is_about_to_let_go_of_its_port(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        settings = Settings(anichron_home=tmp_path, port=port)
        leaving = threading.Timer(0.3, taken.close)
        leaving.start()
        check_listening(settings, patience=20)
        leaving.join()
