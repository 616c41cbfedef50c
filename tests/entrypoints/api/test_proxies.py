"""Thumbnails and previews over HTTP."""

import os
from datetime import datetime
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine

from domain.identity.user import User
from entrypoints.api.container import ApiContainer
from entrypoints.common.settings import Settings, WorkerSettings
from tests.contracts.memory_ports import PostgresMemoryPorts, memory
from tests.crawl.pictures import encode, write
from tests.entrypoints.api.client import Answer, Client
from tests.entrypoints.api.people import add_user, logged_in

pytestmark = pytest.mark.postgres
JPEG = encode()


@pytest.fixture(autouse=True)
def proxies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "proxies"
    monkeypatch.setenv("PROXY_PATH", str(folder))
    return folder


@pytest.fixture
def ports(engine: Engine) -> PostgresMemoryPorts:
    return PostgresMemoryPorts(engine=engine)


@pytest.fixture
def asset(ports: PostgresMemoryPorts, ada: User, proxies: Path) -> UUID:
    config = ports.add_config(ada.id)
    found = ports.keep(config, memory(datetime(2020, 6, 1))).asset_id  # noqa: DTZ001
    for kind, content in (("thumbnail", JPEG), ("preview", JPEG + b"larger")):
        write(proxies / found.hex[:2] / found.hex[2:] / f"{kind}.jpg", content)
    return found


def get(client: Client, asset: UUID, kind: str = "thumbnail", **headers: str) -> Answer:
    return client("GET", f"/api/v1/me/assets/{asset}/{kind}", headers=headers)


def test_the_owner_gets_each_picture(owner: Client, asset: UUID) -> None:
    thumbnail, preview = get(owner, asset), get(owner, asset, "preview")
    assert (thumbnail.status, thumbnail.content) == (200, JPEG)
    assert (preview.status, preview.content) == (200, JPEG + b"larger")
    assert thumbnail.headers["content-type"] == "image/jpeg"
    assert thumbnail.headers["content-length"] == str(len(JPEG))
    assert thumbnail.headers["cache-control"] == "private, max-age=300, must-revalidate"
    assert thumbnail.headers["vary"] == "Authorization"
    assert thumbnail.headers["x-content-type-options"] == "nosniff"
    assert thumbnail.headers["etag"].startswith('"')
    assert thumbnail.headers["etag"] != preview.headers["etag"]


def test_what_the_client_has_is_not_sent_again(owner: Client, asset: UUID) -> None:
    tag = get(owner, asset).headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        answer = get(owner, asset, **{"If-None-Match": known})
        assert (answer.status, answer.content) == (304, b"")
        assert answer.headers["etag"] == tag
        assert answer.headers["cache-control"] == "private, max-age=300, must-revalidate"
    for unknown in ('"other"', "", "nonsense"):
        assert get(owner, asset, **{"If-None-Match": unknown}).status == 200


def test_the_tag_changes_with_the_content(
    owner: Client, asset: UUID, ports: PostgresMemoryPorts
) -> None:
    tag = get(owner, asset).headers["etag"]
    ports.run("UPDATE media_assets SET content_hash = '00000000000000aa'")
    answer = get(owner, asset, **{"If-None-Match": tag})
    assert answer.status == 200
    assert answer.headers["etag"] != tag


@pytest.mark.parametrize("kind", ["thumbnail", "preview"])
def test_to_anybody_else_it_is_as_if_it_were_not_there(
    container: ApiContainer, anonymous: Client, client: Client, asset: UUID, kind: str
) -> None:
    bob = logged_in(anonymous, add_user(container, "bob"))
    for caller in (client, bob):
        refused, unknown = get(caller, asset, kind), get(caller, uuid4(), kind)
        assert (refused.status, unknown.status) == (404, 404)
        assert refused.json["detail"] == f"there is no {kind} of an asset {asset}"
        assert refused.headers["cache-control"] == "no-store"
        assert "etag" not in refused.headers
    assert get(anonymous, asset, kind).status == 401


def test_a_deleted_asset_and_a_missing_file_are_not_found(
    owner: Client, asset: UUID, ports: PostgresMemoryPorts, proxies: Path
) -> None:
    (proxies / asset.hex[:2] / asset.hex[2:] / "thumbnail.jpg").unlink()
    assert get(owner, asset).status == 404
    assert get(owner, asset, "preview").status == 200
    ports.delete(asset)
    assert get(owner, asset, "preview").status == 404


@pytest.mark.parametrize(
    "path", ["1/thumbnail", "..%2F..%2Fetc%2Fpasswd/thumbnail", "{asset}/original", "{asset}"]
)
def test_nothing_else_is_reached(owner: Client, asset: UUID, path: str) -> None:
    answer = owner("GET", f"/api/v1/me/assets/{path.format(asset=asset)}")
    assert answer.status in {400, 404}


def test_a_folder_that_cannot_be_read_is_the_operators_problem(
    owner: Client, asset: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    answer = get(owner, asset)
    assert answer.status == 503
    assert answer.json["detail"] == "the proxies cannot be read: Permission denied"


def test_the_api_reads_where_the_worker_writes_unless_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = WorkerSettings(proxy_path=Path("/data/here"))
    assert Settings(worker=worker, proxy_path=Path("/mnt")).proxies_to_read() == Path("/mnt")
    monkeypatch.delenv("PROXY_PATH")
    assert Settings(worker=worker).proxies_to_read() == Path("/data/here")
    assert Settings().proxies_to_read() == Path("/data/proxies")
