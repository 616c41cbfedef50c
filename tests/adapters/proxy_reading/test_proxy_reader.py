"""What is read from the proxies' folder, and what never is."""

import os
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest

from adapters.filesystem.proxy_store import FilesystemProxyStore
from adapters.proxy_reading import proxy_reader
from adapters.proxy_reading.proxy_reader import FilesystemProxyReader
from application.ports.proxy_reader import ProxyUnreadable
from domain.library.proxy import Proxy, ProxyKind

ASSET = UUID("0123456789abcdef0123456789abcdef")
OTHER = UUID("0123456789abcdef0123456789abcde0")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "proxies"


@pytest.fixture
def reader(base: Path) -> FilesystemProxyReader:
    return FilesystemProxyReader(proxy_path=base)


def preview(reader: FilesystemProxyReader, asset: UUID = ASSET) -> bytes | None:
    return reader.read(asset, ProxyKind.PREVIEW)


@pytest.fixture
def place(base: Path) -> Path:
    """Where the spec says that the preview lies."""
    folder = base / "01" / "23456789abcdef0123456789abcdef"
    folder.mkdir(parents=True)
    return folder / "preview.jpg"


def test_what_the_worker_writes_is_read(base: Path, reader: FilesystemProxyReader) -> None:
    proxies = [Proxy(kind=kind, width=1, height=1, jpeg=kind.encode()) for kind in ProxyKind]
    FilesystemProxyStore(proxy_path=base).prepare(ASSET, proxies).publish()
    assert preview(reader) == b"preview"
    assert reader.read(ASSET, ProxyKind.THUMBNAIL) == b"thumbnail"
    assert preview(reader, OTHER) is None


def test_a_folder_that_is_not_there_yet_holds_nothing(
    base: Path, reader: FilesystemProxyReader
) -> None:
    assert preview(reader) is None
    base.write_bytes(b"no folder")
    assert preview(reader) is None


def test_the_proxy_path_may_be_a_link(place: Path, base: Path, tmp_path: Path) -> None:
    place.write_bytes(b"jpeg")
    (tmp_path / "link").symlink_to(base)
    assert preview(FilesystemProxyReader(proxy_path=tmp_path / "link")) == b"jpeg"


def link_file(place: Path, secret: Path) -> None:
    place.symlink_to(secret)


def link_folder(place: Path, secret: Path) -> None:
    place.parent.rmdir()
    place.parent.symlink_to(secret.parent)


def link_shard(place: Path, secret: Path) -> None:
    place.parent.rmdir()
    place.parent.parent.rmdir()
    place.parent.parent.symlink_to(secret.parent.parent)


def dangle(place: Path, secret: Path) -> None:
    place.symlink_to(secret.with_name("nothing"))


def loop(place: Path, secret: Path) -> None:  # noqa: ARG001
    place.symlink_to(place)


def make_folder(place: Path, secret: Path) -> None:  # noqa: ARG001
    place.mkdir()


def make_pipe(place: Path, secret: Path) -> None:  # noqa: ARG001
    os.mkfifo(place)


@pytest.mark.parametrize(
    "arrange", [link_file, link_folder, link_shard, dangle, loop, make_folder, make_pipe]
)
def test_links_and_what_is_no_file_are_none(
    reader: FilesystemProxyReader,
    place: Path,
    tmp_path: Path,
    arrange: Callable[[Path, Path], None],
) -> None:
    secret = tmp_path / "elsewhere" / "23456789abcdef0123456789abcdef" / "preview.jpg"
    secret.parent.mkdir(parents=True)
    secret.write_bytes(b"secret")
    arrange(place, secret)
    before = open_files()
    assert preview(reader) is None
    assert open_files() == before


def test_a_file_that_is_too_large_is_none(
    reader: FilesystemProxyReader, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proxy_reader, "MOST_BYTES", 4)
    place.write_bytes(b"1234")
    assert preview(reader) == b"1234"
    place.write_bytes(b"12345")
    assert preview(reader) is None


def test_an_error_of_the_system_is_told_without_a_path(
    reader: FilesystemProxyReader, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write_bytes(b"jpeg")

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied", str(place))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ProxyUnreadable) as refusal:
        preview(reader)
    assert str(refusal.value) == "the proxies cannot be read: Permission denied"


def test_no_file_stays_open(reader: FilesystemProxyReader, place: Path) -> None:
    place.write_bytes(b"jpeg")
    before = open_files()
    for _ in range(3):
        assert preview(reader) == b"jpeg"
    assert open_files() == before


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
