"""What the supervisor hands to the hosts that it starts."""

from pathlib import Path

import pytest

from entrypoints.cli.up import hosts_of
from entrypoints.common.settings import Settings

SECRET = "a signing secret of enough characters"  # for this test


def test_secrets_go_to_the_host_that_needs_them_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JWT__SECRET", SECRET)
    monkeypatch.setenv("ANICHRON_PASSWORD", "anna's password")
    monkeypatch.setenv("ANICHRON_HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "Europe/Berlin")
    api, worker = hosts_of(Settings(), has_roles=True)
    assert (api.name, worker.name) == ("api", "worker")
    assert api.environment["JWT__SECRET"] == SECRET
    assert "JWT__SECRET" not in worker.environment
    assert "ANICHRON_PASSWORD" not in {**api.environment, **worker.environment}
    assert worker.environment["TZ"] == "Europe/Berlin"
    assert worker.environment["POSTGRES_CONNECTION__USER"] == "anichron_worker"
