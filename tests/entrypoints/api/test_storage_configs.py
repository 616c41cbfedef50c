"""The folders of originals over HTTP."""

from typing import Any
from uuid import uuid4

import pytest

from domain.identity.user import User
from tests.entrypoints.api.client import Answer, Client

pytestmark = pytest.mark.postgres
CONFIGS = "/api/v1/admin/storage-configs"


def body(admin: User, root_path: str = "/photos", **more: Any) -> dict[str, Any]:
    return {"userId": str(admin.id), "rootPath": root_path, "timeZone": "Europe/Berlin", **more}


def test_a_new_config_is_answered_and_listed(client: Client, admin: User) -> None:
    answer = client("POST", CONFIGS, json=body(admin, "/photos//alice/"))
    assert answer.status == 201
    assert answer.json == {
        "id": answer.json["id"],
        "userId": str(admin.id),
        "rootPath": "/photos/alice",
        "timeZone": "Europe/Berlin",
        "isActive": True,
        "createdAt": answer.json["createdAt"],
    }
    assert client("GET", CONFIGS).json == {
        "items": [answer.json],
        "page": 1,
        "pageSize": 50,
        "total": 1,
    }


@pytest.fixture
def tokyo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")


def test_the_time_zone_is_the_hosts_unless_given(
    tokyo: None,  # noqa: ARG001  # set before the container is built
    client: Client,
    admin: User,
) -> None:
    asked = {"userId": str(admin.id), "rootPath": "/photos"}
    assert client("POST", CONFIGS, json=asked).json["timeZone"] == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"rootPath": "photos"}, "rootPath: must be an absolute path"),
        ({"rootPath": "/photos/../etc"}, "rootPath: must not contain .."),
        ({"rootPath": ""}, "rootPath: must be an absolute path"),
        ({"rootPath": "/a\0b"}, "rootPath: must not contain the NUL character"),
        ({"rootPath": "/" + "a" * 2000}, "rootPath: must have at most 2000 bytes"),
        ({"timeZone": "Mars/Base"}, "timeZone: must be an IANA time zone such as Europe/Berlin"),
        ({"timeZone": None}, "timeZone: must not be null; leave it out instead"),
        ({"isActive": False}, "isActive: is not known"),
    ],
)
def test_a_bad_field_is_refused_by_name(
    client: Client, admin: User, change: dict[str, Any], detail: str
) -> None:
    answer = client("POST", CONFIGS, json=body(admin, **change))
    assert (answer.status, answer.json["detail"]) == (400, detail)


def test_a_folder_of_nobody_is_refused(client: Client, admin: User) -> None:
    nobody = str(uuid4())
    answer = client("POST", CONFIGS, json=body(admin, userId=nobody))
    assert (answer.status, answer.json["errors"][0]["field"]) == (400, "userId")
    assert client("POST", CONFIGS, json=body(admin, userId="me")).status == 400


@pytest.mark.parametrize("path", ["/photos/alice", "/photos/alice/2020", "/photos", "/"])
def test_overlapping_folders_are_a_conflict(client: Client, admin: User, path: str) -> None:
    first = client("POST", CONFIGS, json=body(admin, "/photos/alice")).json
    answer = client("POST", CONFIGS, json=body(admin, path))
    assert answer.status == 409
    assert first["id"] in answer.json["detail"]


def test_a_change_answers_the_config_as_it_is_now(client: Client, admin: User) -> None:
    config = client("POST", CONFIGS, json=body(admin)).json
    answer = client(
        "PATCH", f"{CONFIGS}/{config['id']}", json={"isActive": False, "timeZone": "Asia/Tokyo"}
    )
    assert answer.status == 200
    assert answer.json == {**config, "isActive": False, "timeZone": "Asia/Tokyo"}


@pytest.mark.parametrize(
    "change", [{"rootPath": "/other"}, {"timeZone": "nowhere"}, {"isActive": None}]
)
def test_a_bad_change_is_refused(client: Client, admin: User, change: dict[str, Any]) -> None:
    config = client("POST", CONFIGS, json=body(admin)).json
    assert client("PATCH", f"{CONFIGS}/{config['id']}", json=change).status == 400
    assert client("GET", CONFIGS).json["items"] == [config]


def test_a_deleted_config_is_gone(client: Client, admin: User) -> None:
    config = client("POST", CONFIGS, json=body(admin)).json
    assert client("DELETE", f"{CONFIGS}/{config['id']}").status == 204
    assert client("DELETE", f"{CONFIGS}/{config['id']}").status == 404
    assert client("PATCH", f"{CONFIGS}/{config['id']}", json={}).status == 404
    assert client("GET", CONFIGS).json["items"] == []


def test_a_deleted_users_configs_go_too(client: Client, admin: User) -> None:
    bob = {"name": "Bob", "email": "bob@example.org", "password": "a good password"}
    user = client("POST", "/api/v1/admin/users", json=bob).json
    client("POST", CONFIGS, json=body(admin, userId=user["id"]))
    assert client("DELETE", f"/api/v1/admin/users/{user['id']}").status == 204
    assert client("GET", CONFIGS).json["items"] == []


def allow(client: Client, config_id: str) -> Answer:
    return client("POST", f"{CONFIGS}/{config_id}/allow-missing")


def test_a_held_back_crawl_is_let_through_by_its_work_item(client: Client, admin: User) -> None:
    config = client("POST", CONFIGS, json=body(admin)).json
    answer = allow(client, config["id"])
    assert answer.status == 202
    assert (answer.json["kind"], answer.json["status"]) == ("Crawl", "Queued")
    assert answer.json["storageConfigId"] == config["id"]
    assert answer.json["requestedBy"] == str(admin.id)
    assert answer.headers["location"] == f"/api/v1/admin/work-items/{answer.json['id']}"
    item = client("GET", answer.headers["location"]).json
    assert {**item, "serverTime": None} == {**answer.json, "serverTime": None}
    assert allow(client, config["id"]).json["id"] == answer.json["id"]
    assert client("GET", "/api/v1/admin/work-items").json["total"] == 1


def test_nothing_is_allowed_where_nobody_would_crawl(client: Client, admin: User) -> None:
    config = client("POST", CONFIGS, json=body(admin)).json
    client("PATCH", f"{CONFIGS}/{config['id']}", json={"isActive": False})
    answer = allow(client, config["id"])
    assert answer.status == 409
    assert answer.json["detail"] == (
        f"storage config {config['id']} is inactive or its owner is disabled; it is not crawled"
    )
    assert allow(client, str(uuid4())).status == 404
    assert allow(client, "1").status == 400
    assert client("GET", "/api/v1/admin/work-items").json["total"] == 0
