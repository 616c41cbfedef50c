"""An owner's own folders and their failed files over HTTP."""

import base64
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Engine, text

from domain.identity.user import User
from entrypoints.api.container import ApiContainer
from tests.entrypoints.api.client import Client
from tests.entrypoints.api.people import add_user, logged_in

pytestmark = pytest.mark.postgres
CONFIGS = "/api/v1/me/storage-configs"
NAMES = (
    b"a.jpg",
    b"line\nbreak.jpg",
    b"\xff\xfe.jpg",
    b"-[b]: c.jpg",
    "\N{GRINNING FACE}".encode(),
)


@pytest.fixture
def config(client: Client, ada: User) -> str:
    body = {"userId": str(ada.id), "rootPath": "/photos/ada", "timeZone": "UTC"}
    return str(client("POST", "/api/v1/admin/storage-configs", json=body).json["id"])


def run(engine: Engine, statement: str, **parameters: Any) -> None:
    with engine.begin() as connection:
        connection.execute(text(statement), parameters)


def crawled(engine: Engine, config: str, names: tuple[bytes, ...] = NAMES) -> str:
    item = str(uuid4())
    run(
        engine,
        "INSERT INTO work_items (id, kind, payload, storage_config_id, dedup_key, status, attempt,"
        " finished_at) VALUES (:id, 'Crawl', '{}', :config, :key, 'Succeeded', 2, now())",
        id=item,
        config=config,
        key=f"crawl:{config}",
    )
    for attempt, name in [(1, b"of a dead attempt"), *((2, name) for name in names)]:
        run(
            engine,
            "INSERT INTO crawl_failures (work_item_id, attempt, path, display_path, reason,"
            " message) VALUES (:item, :attempt, :path, :text, 'damaged', 'it ends early')",
            item=item,
            attempt=attempt,
            path=name,
            text=name.decode(errors="replace"),
        )
    return item


def test_a_user_finds_its_own_folders(client: Client, owner: Client, config: str) -> None:
    assert client("GET", CONFIGS).json["items"] == []
    listed = owner("GET", CONFIGS).json
    assert [each["id"] for each in listed["items"]] == [config]
    assert (listed["page"], listed["pageSize"], listed["total"]) == (1, 50, 1)
    assert owner("GET", "/api/v1/admin/storage-configs").status == 403


def test_the_owner_reads_every_name_byte_for_byte(
    owner: Client, config: str, engine: Engine
) -> None:
    item = crawled(engine, config)
    answer = owner("GET", f"{CONFIGS}/{config}/crawl-failures")
    assert answer.status == 200
    assert (answer.json["workItemId"], answer.json["attempt"]) == (item, 2)
    assert answer.json["finishedAt"].endswith("Z")
    assert answer.json["isPartial"] is False
    assert answer.json["nextCursor"] is None
    paths = tuple(base64.b64decode(each["pathBase64"]) for each in answer.json["items"])
    assert paths == NAMES
    assert answer.json["items"][2] == {
        "path": "\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}.jpg",
        "pathBase64": "//4uanBn",
        "reason": "damaged",
        "message": "it ends early",
    }


def test_pages_follow_each_other_through_one_crawl(
    owner: Client, config: str, engine: Engine
) -> None:
    item = crawled(engine, config)
    path = f"{CONFIGS}/{config}/crawl-failures?limit=2"
    first = owner("GET", path).json
    crawled(engine, config, names=())
    second = owner("GET", f"{path}&cursor={first['nextCursor']}").json
    third = owner("GET", f"{path}&cursor={second['nextCursor']}").json
    assert {first["workItemId"], second["workItemId"], third["workItemId"]} == {item}
    assert [len(page["items"]) for page in (first, second, third)] == [2, 2, 1]
    assert third["nextCursor"] is None
    run(engine, "DELETE FROM work_items WHERE id = :id", id=item)
    gone = owner("GET", f"{path}&cursor={first['nextCursor']}")
    assert (gone.status, gone.json["errors"][0]["field"]) == (400, "cursor")


def test_before_the_first_crawl_has_ended_all_is_empty(owner: Client, config: str) -> None:
    assert owner("GET", f"{CONFIGS}/{config}/crawl-failures").json == {
        "items": [],
        "nextCursor": None,
        "workItemId": None,
        "attempt": None,
        "finishedAt": None,
        "isPartial": None,
    }


def test_an_admin_is_refused_and_to_others_the_folder_does_not_exist(
    container: ApiContainer, anonymous: Client, client: Client, owner: Client, config: str
) -> None:
    other = logged_in(anonymous, add_user(container, "bob"))
    path = f"{CONFIGS}/{config}/crawl-failures"
    assert anonymous("GET", path).status == 401
    assert client("GET", path).status == 403
    refused, unknown = other("GET", path), other("GET", f"{CONFIGS}/{uuid4()}/crawl-failures")
    assert (refused.status, unknown.status) == (404, 404)
    assert refused.json["detail"] == f"there is no storage config {config}"
    for caller in (client, owner):
        assert caller("GET", f"{CONFIGS}/{uuid4()}/crawl-failures").status == 404


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=x", "limit"),
        ("cursor=", "cursor"),
        ("cursor=x", "cursor"),
        ("cursor=e30", "cursor"),
        ("cursor=%00", "cursor"),
        ("cursor=%F0%9F%98%80", "cursor"),
        ("cursor=" + "W" * 4000, "cursor"),
        ("page=1", "page"),
    ],
)
def test_a_bad_parameter_is_refused_by_name(
    owner: Client, config: str, query: str, field: str
) -> None:
    answer = owner("GET", f"{CONFIGS}/{config}/crawl-failures?{query}")
    assert answer.status == 400
    assert {each["field"] for each in answer.json["errors"]} == {field}
