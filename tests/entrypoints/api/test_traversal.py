"""Nothing outside a folder is reached by how a folder, an id or a path is written."""

from pathlib import Path
from typing import Any

import pytest

from domain.identity.user import User
from entrypoints.api.container import ApiContainer
from tests.entrypoints.api.client import Client
from tests.entrypoints.api.people import add_user, logged_in

pytestmark = pytest.mark.postgres
CONFIGS = "/api/v1/admin/storage-configs"


def register(client: Client, user: User, path: str) -> tuple[int, Any]:
    answer = client("POST", CONFIGS, json={"userId": str(user.id), "rootPath": path})
    return answer.status, answer.json.get("rootPath")


def test_a_folder_has_one_spelling_and_one_owner(
    client: Client, admin: User, container: ApiContainer
) -> None:
    ada = add_user(container, "ada")
    assert register(client, admin, "//photos///alice/./") == (201, "/photos/alice")
    for same_or_within in (
        *(
            "/photos/alice",
            "/photos/alice/",
            "/photos//alice",
            "/./photos/alice",
            "/photos/alice/.",
        ),
        *("//photos/alice", "/photos/alice/2020", "/photos/alice//2020/", "/photos", "/", "//"),
    ):
        assert register(client, ada, same_or_within)[0] == 409, same_or_within
    for beside in ("/photos/alicex", "/photos/alice x", "/photos/ALICE", "/photos/al"):
        assert register(client, ada, beside) == (201, beside)


@pytest.mark.parametrize(
    "path",
    [
        *("/photos/..", "/photos/../etc", "/..", "/../", "/photos/alice/../bob", "/photos/.././x"),
        *("photos", "./photos", "../photos", "~/photos", "", " /photos", "C:\\photos", "file:///x"),
        *(
            "/photos\0",
            "/photos/\0/x",
            "/photos\n",
            "/photos\x7f",
            "/photos\x85",
            "/photos\u200b\n",
        ),
    ],
)
def test_what_climbs_or_is_no_path_is_refused(client: Client, admin: User, path: str) -> None:
    assert register(client, admin, path)[0] == 400


def test_a_path_that_is_no_text_is_refused(client: Client, admin: User) -> None:
    for path in (b"/photos/\xff", b"/photos/\\udcff", b"/photos/\\ud800", b"/photos/\xed\xa0\x80"):
        body = b'{"userId": "%b", "rootPath": "%b"}' % (str(admin.id).encode(), path)
        headers = {"Content-Type": "application/json"}
        assert client("POST", CONFIGS, body=body, headers=headers).status == 400


@pytest.mark.parametrize(
    "written",
    [
        *("..", "../..", "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e", "%2e%2e%2f%2e%2e", "..%5c..%5c"),
        *(".", "%00", "x%00.jpg", "%ff", "%c0%af", "....//....//", "0" * 32, "0" * 36),
        *(
            "{00000000-0000-0000-0000-000000000000}",
            "urn:uuid:00000000-0000-0000-0000-000000000000",
        ),
        *("00000000-0000-0000-0000-00000000000%30", "00000000-0000-0000-0000-000000000000%20"),
        *("00000000-0000-0000-0000-000000000000%0a", "00000000-0000-0000-0000-000000000000/.."),
        "\u0660".join(["%30" * 7 + "-", "%30" * 3 + "-"]),
    ],
)
def test_only_ids_lead_to_proxies(
    container: ApiContainer, anonymous: Client, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    def refuse(*_: object, **__: object) -> bytes:
        raise AssertionError("a file is asked for")

    monkeypatch.setattr("adapters.proxy_reading.proxy_reader.os.open", refuse)
    client = logged_in(anonymous, add_user(container, "ada"))
    for kind in ("thumbnail", "preview"):
        answer = client.falcon.simulate_get(
            f"/api/v1/me/assets/{written}/{kind}",
            headers={"Authorization": f"Bearer {client.token}"},
        )
        assert answer.status_code in {400, 404}


def test_ids_of_others_are_as_if_they_were_nobodys(
    client: Client, admin: User, container: ApiContainer, anonymous: Client, tmp_path: Path
) -> None:
    folder = {"userId": str(admin.id), "rootPath": str(tmp_path / "admins")}
    config = client("POST", CONFIGS, json=folder).json["id"]
    ada = logged_in(anonymous, add_user(container, "ada"))
    unknown = "00000000-0000-4000-8000-000000000000"
    found = [
        ada("GET", f"/api/v1/me/storage-configs/{i}/crawl-failures") for i in (config, unknown)
    ]
    assert [answer.status for answer in found] == [404, 404]
    details = [answer.json["detail"] for answer in found]
    assert details[0].replace(config, "") == details[1].replace(unknown, "")
    for method, path in (
        ("PATCH", config),
        ("DELETE", config),
        ("POST", f"{config}/allow-missing"),
    ):
        assert ada(method, f"{CONFIGS}/{path}").status == 403
