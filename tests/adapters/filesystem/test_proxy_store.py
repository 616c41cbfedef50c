"""Proxy files on a real disk."""

from pathlib import Path
from threading import Event, Thread
from uuid import UUID

import pytest

from adapters.filesystem import proxy_store
from adapters.filesystem.proxy_store import FilesystemProxyStore
from application.ports.proxy_store import ProxiesUnwritable
from domain.library.proxy import Proxy, ProxyKind

ONE = UUID("01234567-89ab-4def-8123-456789abcdef")
SIBLING = UUID("01fffffa-89ab-4def-8123-456789abcdef")


def proxy(kind: ProxyKind, content: bytes) -> Proxy:
    return Proxy(kind=kind, width=1, height=1, jpeg=content)


PROXIES = (proxy(ProxyKind.THUMBNAIL, b"small"), proxy(ProxyKind.PREVIEW, b"large"))


@pytest.fixture
def store(tmp_path: Path) -> FilesystemProxyStore:
    return FilesystemProxyStore(proxy_path=tmp_path)


def files(base: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(base)): path.read_bytes() for path in base.rglob("*") if path.is_file()
    }


def test_proxies_are_written_whole_and_nothing_beside_them(
    store: FilesystemProxyStore, tmp_path: Path
) -> None:
    store.prepare(ONE, PROXIES).publish()
    assert files(tmp_path) == {
        "01/23456789ab4def8123456789abcdef/thumbnail.jpg": b"small",
        "01/23456789ab4def8123456789abcdef/preview.jpg": b"large",
    }


def test_writing_again_replaces(store: FilesystemProxyStore, tmp_path: Path) -> None:
    store.prepare(ONE, PROXIES).publish()
    store.prepare(ONE, [proxy(ProxyKind.PREVIEW, b"new")]).publish()
    assert sorted(files(tmp_path).values()) == [b"new", b"small"]


def test_tidying_removes_only_halves(store: FilesystemProxyStore, tmp_path: Path) -> None:
    store.prepare(ONE, PROXIES).publish()
    folder = tmp_path / "01" / "23456789ab4def8123456789abcdef"
    (folder / "preview.jpg.partial").write_bytes(b"la")
    store.tidy(ONE)
    assert sorted(files(tmp_path).values()) == [b"large", b"small"]
    store.tidy(SIBLING)


def test_discarding_leaves_other_assets_and_no_empty_folder(
    store: FilesystemProxyStore, tmp_path: Path
) -> None:
    store.prepare(ONE, PROXIES).publish()
    store.prepare(SIBLING, PROXIES).publish()
    store.discard(ONE)
    assert {name.split("/")[1] for name in files(tmp_path)} == {"fffffa89ab4def8123456789abcdef"}
    store.discard(SIBLING)
    store.discard(SIBLING)
    assert list(tmp_path.iterdir()) == []


def test_prepared_proxies_replace_nothing_until_they_are_published(
    store: FilesystemProxyStore, tmp_path: Path
) -> None:
    store.prepare(ONE, PROXIES).publish()
    newer = [proxy(each.kind, b"new " + each.jpeg) for each in PROXIES]
    prepared = store.prepare(ONE, newer)
    folder = tmp_path / "01" / "23456789ab4def8123456789abcdef"
    assert (folder / "thumbnail.jpg").read_bytes() == b"small"
    prepared.publish()
    assert sorted(files(tmp_path).values()) == [b"new large", b"new small"]


def test_two_attempts_share_no_file_and_abandoning_one_leaves_the_other(
    store: FilesystemProxyStore, tmp_path: Path
) -> None:
    one, other = store.prepare(ONE, PROXIES), store.prepare(ONE, PROXIES)
    assert len(files(tmp_path)) == 4
    one.abandon()
    other.publish()
    assert sorted(files(tmp_path).values()) == [b"large", b"small"]
    other.abandon()
    assert sorted(files(tmp_path).values()) == [b"large", b"small"]


def test_abandoning_leaves_no_empty_folder(store: FilesystemProxyStore, tmp_path: Path) -> None:
    abandoned, published = store.prepare(ONE, PROXIES), store.prepare(SIBLING, PROXIES)
    published.publish()
    abandoned.abandon()
    abandoned.abandon()
    assert {name.split("/")[1] for name in files(tmp_path)} == {"fffffa89ab4def8123456789abcdef"}
    assert len(list((tmp_path / "01").iterdir())) == 1
    store.discard(SIBLING)
    store.prepare(ONE, PROXIES).abandon()
    assert list(tmp_path.iterdir()) == []


def test_tidying_removes_what_was_prepared(store: FilesystemProxyStore, tmp_path: Path) -> None:
    store.prepare(ONE, PROXIES).publish()
    overtaken = store.prepare(ONE, PROXIES)
    store.tidy(ONE)
    assert sorted(files(tmp_path).values()) == [b"large", b"small"]
    overtaken.abandon()
    assert sorted(files(tmp_path).values()) == [b"large", b"small"]


def test_a_folder_that_another_asset_s_abandonment_takes_away_is_made_again(
    store: FilesystemProxyStore, tmp_path: Path
) -> None:
    def come_and_go() -> None:
        while not over.wait(0.0005):
            store.prepare(SIBLING, PROXIES).abandon()

    over = Event()
    other = Thread(target=come_and_go)
    other.start()
    try:
        for _ in range(300):
            store.prepare(ONE, PROXIES).abandon()
    finally:
        over.set()
        other.join(10)
    assert list(tmp_path.iterdir()) == []


BROKEN = OSError(28, "No space left on device", "/secret/thumbnail.jpg")


def test_a_proxy_path_that_takes_nothing_is_one_clear_error_and_leaves_nothing(
    store: FilesystemProxyStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []
    real = proxy_store._write_once

    def fill_up(file: Path, content: bytes) -> None:
        real(file, content)
        written.append(file)
        if len(written) == 2:
            raise BROKEN

    monkeypatch.setattr(proxy_store, "_write_once", fill_up)
    with pytest.raises(ProxiesUnwritable) as caught:
        store.prepare(ONE, PROXIES)
    assert str(caught.value) == "the proxies cannot be written: No space left on device"
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_proxy_path_is_told_without_its_name(tmp_path: Path) -> None:
    (tmp_path / "proxies").write_bytes(b"")
    store = FilesystemProxyStore(proxy_path=tmp_path / "proxies")
    told = "^the proxies cannot be written: Not a directory$"
    for step in (lambda: store.prepare(ONE, PROXIES), lambda: store.discard(ONE)):
        with pytest.raises(ProxiesUnwritable, match=told):
            step()


def test_what_cannot_be_renamed_or_removed_is_told_the_same_way(
    store: FilesystemProxyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BROKEN

    prepared = store.prepare(ONE, PROXIES)
    for method in ("replace", "unlink"):
        monkeypatch.setattr(Path, method, refuse)
    for step in (prepared.publish, lambda: store.tidy(ONE)):
        with pytest.raises(ProxiesUnwritable, match="No space left on device"):
            step()
    prepared.abandon()
