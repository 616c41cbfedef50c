"""Bodies and queries that are too much, or say a thing twice."""

from pathlib import Path

import pytest
from falcon.testing import TestClient

from adapters.postgres.engine import PostgresAddress
from entrypoints.api.app import create_app
from entrypoints.api.container import ApiContainer
from tests.entrypoints.api.client import Answer, Client
from tests.entrypoints.api.conftest import settings_for

LOG_IN = "/api/v1/auth/login"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def nowhere(tmp_path: Path) -> Client:
    """The API without a database: what gets through to it answers 503."""
    address = PostgresAddress(host=str(tmp_path), port=5432, dbname="none", user="none")
    return Client(TestClient(create_app(ApiContainer(settings=settings_for(address, tmp_path)))))


def log_in(client: Client, body: str, query: str = "") -> Answer:
    return client("POST", LOG_IN + query, body=body, headers=JSON)


def faults(answer: Answer) -> list[tuple[str, str]]:
    assert answer.status == 400
    return [(each["field"], each["message"]) for each in answer.json["errors"]]


@pytest.mark.parametrize(
    "body",
    [
        '{"username": "a", "username": "b", "password": "c"}',
        '{"username": "a", "password": "c", "usern\\u0061me": "a"}',
        '{"username": [[[1]]], "username": "b", "password": "c"}',
        '{"username": {"username": 1}, "username": "b", "password": "c"}',
    ],
)
def test_a_field_that_is_given_twice_is_refused(nowhere: Client, body: str) -> None:
    assert faults(log_in(nowhere, body)) == [("username", "must be given once")]


def test_a_body_that_is_right_gets_through(nowhere: Client) -> None:
    assert log_in(nowhere, '{"username": "a", "password": "c"}').status == 503


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"username":[', '{"username":"a","x":['])
def test_depth_is_refused(nowhere: Client, opening: str) -> None:
    body = opening * ((64 * 1024) // len(opening))
    assert faults(log_in(nowhere, body))[0][0] == "body"


@pytest.mark.parametrize("number", ["1e400", "-0", "1" * 60_000, "0." + "1" * 60_000, "NaN"])
def test_odd_numbers_are_refused(nowhere: Client, number: str) -> None:
    body = '{"username": "a", "password": ' + number + "}"
    assert log_in(nowhere, body).status == 400


def test_of_many_faults_the_first_are_told_and_names_are_cut(nowhere: Client) -> None:
    body = "{" + ",".join(f'"{"x" * 500}{n}": 1' for n in range(100)) + "}"
    found = faults(log_in(nowhere, body))
    assert len(found) == 20
    assert found[-1] == ("x" * 100, "is not known")


def test_too_many_parameters_are_refused(nowhere: Client) -> None:
    most = "?" + "&".join(["a=1"] * 100)
    assert faults(log_in(nowhere, "{}", most)) == [("a", "must be given once")]
    answer = log_in(nowhere, "{}", most + "&a=1")
    assert faults(answer) == [("query", "must have at most 100 parameters")]


@pytest.mark.parametrize("query", ["?%ff=%ff", "?%00", "?=", "?a", "?%", "?%zz=1", "?a=%ed%a0%80"])
def test_odd_parameters_are_refused(nowhere: Client, query: str) -> None:
    assert log_in(nowhere, "{}", query).status == 400
