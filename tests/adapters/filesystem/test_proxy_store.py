"""Proxy files on a real disk."""

from pathlib import Path
from uuid import UUID

import pytest

from adapters.filesystem.proxy_store import FilesystemProxyStore
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
    store.write(ONE, PROXIES)
    assert files(tmp_path) == {
        "01/23456789ab4def8123456789abcdef/thumbnail.jpg": b"small",
        "01/23456789ab4def8123456789abcdef/preview.jpg": b"large",
    }


def test_writing_again_replaces(store: FilesystemProxyStore, tmp_path: Path) -> None:
    store.write(ONE, PROXIES)
    store.write(ONE, [proxy(ProxyKind.PREVIEW, b"new")])
    assert sorted(files(tmp_path).values()) == [b"new", b"small"]


def test_tidying_removes_only_halves(store: FilesystemProxyStore, tmp_path: Path) -> None:
    store.write(ONE, PROXIES)
    folder = tmp_path / "01" / "23456789ab4def8123456789abcdef"
    (folder / "preview.jpg.partial").write_bytes(b"la")
    store.tidy(ONE)
    assert sorted(files(tmp_path).values()) == [b"large", b"small"]
    store.tidy(SIBLING)


def test_discarding_leaves_other_assets_and_no_empty_folder(
    store: FilesystemProxyStore, tmp_path: Path
) -> None:
    store.write(ONE, PROXIES)
    store.write(SIBLING, PROXIES)
    store.discard(ONE)
    assert {name.split("/")[1] for name in files(tmp_path)} == {"fffffa89ab4def8123456789abcdef"}
    store.discard(SIBLING)
    store.discard(SIBLING)
    assert list(tmp_path.iterdir()) == []
