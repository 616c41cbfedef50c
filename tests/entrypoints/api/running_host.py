"""The API in a process of its own, under gunicorn."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from adapters.postgres.engine import PostgresAddress
from tests.postgres_server import as_role, connection_variables

COMMAND = ("-m", "gunicorn", "--config", "python:entrypoints.api.gunicorn_conf")


@dataclass(frozen=True, kw_only=True)
class RunningHost:
    port: int
    process: subprocess.Popen[bytes]
    log: Path

    def connect(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, timeout=20)

    def log_in(self, username: str, password: str) -> str:
        """An access token."""
        with closing(self.connect()) as connection:
            body = json.dumps({"username": username, "password": password})
            connection.request(
                "POST", "/api/v1/auth/login", body, {"Content-Type": "application/json"}
            )
            token: str = json.load(connection.getresponse())["accessToken"]
            return token

    def stop(self) -> float:
        """SIGTERM; the seconds until it ended."""
        began = time.monotonic()
        self.process.terminate()
        self.process.wait(30)
        return time.monotonic() - began


@contextmanager
def running_host(
    database: PostgresAddress, home: Path, **environment: str
) -> Iterator[RunningHost]:
    with host_started_by((), database, home, **environment) as host:
        yield host


@contextmanager
def host_started_by(
    prefix: tuple[str, ...], database: PostgresAddress, home: Path, **environment: str
) -> Iterator[RunningHost]:
    """`prefix`: a command that becomes the one that is given to it."""
    port = int(environment.get("PORT") or free_port())
    log = home / "api.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*prefix, sys.executable, *COMMAND],
            env={**_environment(database, home, port), **environment},
            stdout=output,
            stderr=output,
            cwd=Path(__file__).parents[3],
        )
    host = RunningHost(port=port, process=process, log=log)
    try:
        _wait_until_alive(host)
        yield host
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(10)


def _environment(database: PostgresAddress, home: Path, port: int) -> dict[str, str]:
    given = {
        "ANICHRON_HOME": str(home),
        "PORT": str(port),
        **connection_variables(as_role(database, "anichron_api")),
    }
    return {**os.environ, **given}


def _wait_until_alive(host: RunningHost) -> None:
    limit = time.monotonic() + 30
    while time.monotonic() < limit and host.process.poll() is None:
        try:
            connection = host.connect()
            connection.request("GET", "/api/v1/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"the API did not start: {host.log.read_text()}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
