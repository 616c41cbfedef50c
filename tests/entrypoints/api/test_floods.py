"""Many log-ins at once, against a host with the real, slow hash."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from sqlalchemy import Engine

from adapters.postgres.engine import PostgresAddress
from tests.entrypoints.api.running_host import RunningHost, running_host
from tests.real_admin import add_admin

pytestmark = [pytest.mark.postgres, pytest.mark.process]

LOG_IN = "/api/v1/auth/login"
FLOOD, AT_ONCE = 300, 60


def look(host: RunningHost) -> None:
    with closing(host.connect()) as connection:
        connection.request("GET", "/api/v1/readyz")
        assert connection.getresponse().status == 200


def log_in(host: RunningHost, name: str, password: str, address: str) -> tuple[int, str]:
    body = json.dumps({"username": name, "password": password})
    headers = {"Content-Type": "application/json", "X-Forwarded-For": address}
    with closing(HTTPConnection("127.0.0.1", host.port, timeout=60)) as connection:
        connection.request("POST", LOG_IN, body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.headers.get("Retry-After", "")


def test_a_flood_of_log_ins_keeps_nobody_else_waiting(
    database: PostgresAddress, engine: Engine, tmp_path: Path
) -> None:
    add_admin(engine, "root", "root's password")
    with running_host(database, tmp_path, LOG_IN__MOST_WAITING="10") as host:
        with ThreadPoolExecutor(AT_ONCE) as threads:
            flood = [
                threads.submit(log_in, host, f"n{n}", "a guess", f"10.0.{n // 250}.{n % 250}")
                for n in range(FLOOD)
            ]
            looks = 0
            while not all(each.done() for each in flood):
                look(host)
                looks += 1
        found = Counter(each.result() for each in flood)
        assert set(found) == {(401, ""), (503, "2")}, found
        assert found[503, "2"] > 0, "no more than twelve are waiting or checked"
        # No time is measured: how long a hash takes is the machine's affair.
        assert looks > found[401, ""], "each waits in line behind several hashes"
        assert log_in(host, "root", "root's password", "192.0.2.1") == (200, "")
        lines = host.log.read_text().splitlines()
        assert len(lines) < found[401, ""] + 50, "who is sent away at once is no line of the log"


def test_of_fifty_guesses_at_once_five_are_checked(
    database: PostgresAddress, engine: Engine, tmp_path: Path
) -> None:
    add_admin(engine, "root", "root's password")
    with (
        running_host(database, tmp_path, LOG_IN__FIRST_WAIT_SECONDS="60") as host,
        running_host(database, tmp_path, LOG_IN__FIRST_WAIT_SECONDS="60") as other,
        ThreadPoolExecutor(50) as threads,
    ):
        guesses = [
            threads.submit(log_in, (host, other)[n % 2], "root", "a guess", "192.0.2.1")
            for n in range(50)
        ]
        found = Counter(each.result()[0] for each in guesses)
    assert found == {401: 5, 429: 45}
