"""Addresses as a running host sees them, with and without a proxy that it trusts."""

import json
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from adapters.postgres.engine import PostgresAddress
from tests.entrypoints.api.nginx import nginx_before
from tests.entrypoints.api.running_host import running_host

pytestmark = [pytest.mark.postgres, pytest.mark.process]


def guess(port: int, forwarded: str, source: str = "127.0.0.1") -> int:
    body = json.dumps({"username": "nobody", "password": "a guess"})
    headers = {"Content-Type": "application/json", "X-Forwarded-For": forwarded}
    connection = HTTPConnection("127.0.0.1", port, timeout=20, source_address=(source, 0))
    with closing(connection):
        connection.request("POST", "/api/v1/auth/login", body, headers)
        return connection.getresponse().status


def test_behind_a_proxy_it_counts_who_called_the_proxy(
    database: PostgresAddress, tmp_path: Path
) -> None:
    """And not what the caller wrote into the header itself, further left."""
    trusted = {"HTTP__TRUSTED_PROXIES": "127.0.0.1", "LOG_IN__FIRST_WAIT_SECONDS": "60"}
    with (
        running_host(database, tmp_path, **trusted) as host,
        nginx_before(host.port, tmp_path) as port,
    ):
        found = [guess(port, f"198.51.100.{n}", "127.0.0.2") for n in range(6)]
        assert found == [401] * 5 + [429]
        assert guess(port, "198.51.100.1", "127.0.0.3") == 401, "somebody else"
        assert "a log-in from 127.0.0.2 failed" in host.log.read_text()


def test_without_a_trusted_proxy_the_header_changes_nothing(
    database: PostgresAddress, tmp_path: Path
) -> None:
    with running_host(
        database, tmp_path, HTTP__TRUSTED_PROXIES="none", LOG_IN__FIRST_WAIT_SECONDS="60"
    ) as host:
        found = [guess(host.port, f"198.51.100.{n}") for n in range(6)]
        assert found == [401] * 5 + [429]
        assert host.log.read_text().count("HTTP__TRUSTED_PROXIES") == 1
