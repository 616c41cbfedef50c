"""Users over HTTP."""

from typing import Any
from uuid import uuid4

import pytest

from domain.identity.user import User
from tests.entrypoints.api.client import Client

pytestmark = pytest.mark.postgres
USERS = "/api/v1/admin/users"
BOB = {"name": "Bob", "email": "bob@example.org", "password": "a good password"}


def test_an_added_user_is_answered_and_listed_without_its_password(client: Client) -> None:
    answer = client("POST", USERS, json=BOB)
    assert answer.status == 201
    assert answer.json == {
        "id": answer.json["id"],
        "name": "Bob",
        "email": "bob@example.org",
        "isAdmin": False,
        "isDisabled": False,
        "createdAt": answer.json["createdAt"],
    }
    assert answer.json["createdAt"].endswith("Z")
    listed = client("GET", USERS).json
    assert [user["name"] for user in listed["items"]] == ["root", "Bob"]
    assert (listed["page"], listed["pageSize"], listed["total"]) == (1, 50, 2)


def test_a_page_has_the_size_that_was_asked_for(client: Client) -> None:
    client("POST", USERS, json=BOB)
    answer = client("GET", USERS, params={"page": 2, "pageSize": 1}).json
    assert [user["name"] for user in answer["items"]] == ["Bob"]
    assert (answer["page"], answer["pageSize"], answer["total"]) == (2, 1, 2)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("page=0", "page"),
        ("page=x", "page"),
        ("page=", "page"),
        ("page=99999999999999999999", "page"),
        ("page=1&page=2", "page"),
        ("pageSize=0", "pageSize"),
        ("pageSize=201", "pageSize"),
        ("page_size=2", "page_size"),
        ("sort=name", "sort"),
    ],
)
def test_a_bad_query_is_refused_by_name(client: Client, query: str, field: str) -> None:
    answer = client("GET", f"{USERS}?{query}")
    assert answer.status == 400
    assert [problem["field"] for problem in answer.json["errors"]] == [field]
    assert answer.json["detail"].startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"name": ""}, "name: must not be empty"),
        ({"name": "a@b"}, "name: must not contain @ (that would make it an e-mail address)"),
        ({"name": None}, "name: must not be null; leave it out instead"),
        ({"name": 3}, "name: must be a valid string"),
        ({"name": "a\0b"}, "name: must not contain the NUL character"),
        ({"email": "nothing"}, "email: must be an e-mail address such as alice@example.org"),
        ({"password": "7 chars"}, "password: must have at least 8 characters"),
        ({"password": "x" * 1025}, "password: must have at most 1024 characters"),
        ({"isAdmin": "yes"}, "isAdmin: must be a valid boolean"),
        ({"is_admin": True}, "is_admin: is not known"),
        ({"id": "1"}, "id: is not known"),
    ],
)
def test_a_bad_field_is_refused_by_name(
    client: Client, change: dict[str, Any], detail: str
) -> None:
    answer = client("POST", USERS, json={**BOB, **change})
    assert (answer.status, answer.json["detail"]) == (400, detail)
    assert client("GET", USERS).json["total"] == 1


def test_every_missing_field_is_named(client: Client) -> None:
    answer = client("POST", USERS, json={})
    assert answer.status == 400
    assert answer.json["errors"] == [
        {"field": name, "message": "is missing"} for name in ("name", "email", "password")
    ]


@pytest.mark.parametrize(
    ("other", "detail"),
    [
        ({"name": "ROOT"}, "name: another user has it"),
        ({"email": "Root@example.org"}, "email: another user has it"),
    ],
)
def test_a_taken_name_is_a_conflict(client: Client, other: dict[str, str], detail: str) -> None:
    answer = client("POST", USERS, json={**BOB, **other})
    assert (answer.status, answer.json["detail"]) == (409, detail)


def test_a_change_answers_the_user_as_it_is_now(client: Client) -> None:
    bob = client("POST", USERS, json=BOB).json
    answer = client("PATCH", f"{USERS}/{bob['id']}", json={"name": "Robert", "isDisabled": True})
    assert answer.status == 200
    assert answer.json == {**bob, "name": "Robert", "isDisabled": True}


def test_a_changed_password_is_the_one_that_logs_in(client: Client) -> None:
    bob = client("POST", USERS, json=BOB).json
    client("PATCH", f"{USERS}/{bob['id']}", json={"password": "a better password"})
    body = {"username": "Bob", "password": "a good password"}
    assert client("POST", "/api/v1/auth/login", json=body).status == 401
    assert client.log_in("Bob", "a better password")


@pytest.mark.parametrize("change", [{"isAdmin": False}, {"isDisabled": True}])
def test_the_last_admin_keeps_its_power(
    client: Client, admin: User, change: dict[str, bool]
) -> None:
    answer = client("PATCH", f"{USERS}/{admin.id}", json=change)
    assert answer.status == 409
    assert answer.json["detail"] == (
        "the last enabled admin cannot be disabled, demoted or deleted"
    )


def test_the_last_admin_is_not_deleted(client: Client, admin: User) -> None:
    assert client("DELETE", f"{USERS}/{admin.id}").status == 409


def test_a_deleted_user_is_gone(client: Client) -> None:
    bob = client("POST", USERS, json=BOB).json
    assert client("DELETE", f"{USERS}/{bob['id']}").status == 204
    assert client("DELETE", f"{USERS}/{bob['id']}").status == 404
    assert client("GET", USERS).json["total"] == 1


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_an_unknown_user_is_not_found(client: Client, method: str) -> None:
    answer = client(method, f"{USERS}/{uuid4()}", json={} if method == "PATCH" else None)
    assert answer.status == 404


@pytest.mark.parametrize("text", ["1", "urn:uuid:0199aaaa-0000-7000-8000-000000000000", "%00"])
def test_what_is_no_uuid_is_refused(client: Client, text: str) -> None:
    answer = client("DELETE", f"{USERS}/{text}")
    assert (answer.status, answer.json["detail"]) == (400, "id: must be a UUID")
