"""What is refused before or beside any use case, and what an outage looks like."""

import logging
from dataclasses import replace
from pathlib import Path

import pytest
from dependency_injector import providers
from falcon.testing import TestClient
from sqlalchemy import Engine, text

from adapters.postgres.engine import PostgresAddress
from entrypoints.api.app import create_app
from entrypoints.api.container import ApiContainer
from tests.entrypoints.api.broken import Broken
from tests.entrypoints.api.client import Client
from tests.entrypoints.api.conftest import settings_for

LOGIN = "/api/v1/auth/login"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def nowhere(tmp_path: Path) -> Client:
    """The API without a database behind it."""
    address = PostgresAddress(host=str(tmp_path), port=5432, dbname="none", user="none")
    return Client(TestClient(create_app(ApiContainer(settings=settings_for(address, tmp_path)))))


def test_an_unknown_route_is_a_problem(nowhere: Client) -> None:
    answer = nowhere("GET", "/api/v1/unknown")
    assert answer.status == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json["title"] == "Not Found"


def test_a_wrong_method_is_a_problem_that_names_the_right_ones(nowhere: Client) -> None:
    answer = nowhere("DELETE", LOGIN)
    assert answer.status == 405
    assert answer.headers["content-type"] == "application/problem+json"
    assert "POST" in answer.headers["allow"]


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[1]", b"null", b"\xff", b'{"username": "\\ud800", "password": "x"}']
)
def test_what_is_no_json_object_is_refused(nowhere: Client, raw: bytes) -> None:
    answer = nowhere("POST", LOGIN, body=raw, headers=JSON)
    assert answer.status == 400
    assert answer.json["errors"][0]["field"] == "body"


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_another_content_type_is_refused(nowhere: Client, content_type: str) -> None:
    answer = nowhere("POST", LOGIN, body="{}", headers={"Content-Type": content_type})
    assert answer.status == 415


def test_a_content_type_with_a_charset_is_json_too(nowhere: Client) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert nowhere("POST", LOGIN, body="{}", headers=headers).status == 400


def test_a_body_over_64_kib_is_refused(nowhere: Client) -> None:
    assert nowhere("POST", LOGIN, body=b" " * (64 * 1024 + 1), headers=JSON).status == 413


def test_a_body_of_64_kib_is_read(nowhere: Client) -> None:
    assert nowhere("POST", LOGIN, body=b" " * (64 * 1024), headers=JSON).status == 400


def test_an_unexpected_error_says_nothing_and_is_logged(
    nowhere: Client, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    address = PostgresAddress(host=str(tmp_path), port=5432, dbname="none", user="none")
    container = ApiContainer(settings=settings_for(address, tmp_path))
    container.log_in.override(providers.Object(Broken()))
    client = replace(nowhere, falcon=TestClient(create_app(container)))
    with caplog.at_level(logging.ERROR):
        answer = client("POST", LOGIN, json={"username": "a", "password": "b"})
    assert answer.status == 500
    assert answer.json["detail"] == "the request failed; the log says why"
    assert "a secret detail" in caplog.text


def test_an_absent_database_is_503_and_worth_another_try(nowhere: Client) -> None:
    answer = nowhere("POST", LOGIN, json={"username": "a", "password": "b"})
    assert answer.status == 503
    assert int(answer.headers["retry-after"]) > 0
    assert answer.json["detail"] == "the database did not answer as it should"


def test_the_host_is_alive_without_a_database_and_not_ready(nowhere: Client) -> None:
    assert nowhere("GET", "/api/v1/healthz").json == {"status": "alive"}
    assert nowhere("GET", "/api/v1/readyz").status == 503


@pytest.mark.postgres
def test_the_host_is_ready_with_the_schema_at_head(anonymous: Client) -> None:
    answer = anonymous("GET", "/api/v1/readyz")
    assert (answer.status, answer.json) == (200, {"status": "ready"})


@pytest.mark.postgres
def test_the_host_is_not_ready_with_another_schema(engine: Engine, anonymous: Client) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    answer = anonymous("GET", "/api/v1/readyz")
    assert answer.status == 503
    assert answer.json["detail"].startswith("the schema is at 0001; this release needs ")


@pytest.mark.postgres
def test_a_session_that_the_server_ended_is_503_and_then_all_is_well(
    container: ApiContainer, client: Client
) -> None:
    with container.engine().connect().execution_options(isolation_level="AUTOCOMMIT") as other:
        other.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
    found = [client("GET", "/api/v1/admin/users").status for _ in range(6)]
    assert set(found) <= {200, 503}
    assert found[-3:] == [200, 200, 200]
