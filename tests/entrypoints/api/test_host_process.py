"""The API as an operator runs it."""

import json
from pathlib import Path

import pytest

from adapters.postgres.engine import PostgresAddress
from tests.entrypoints.api.running_host import running_host

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
