"""Proxies in folders of their own, below the proxy path."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid4

from typing_extensions import override

from adapters.filesystem.system_reasons import reason_of
from application.ports.proxy_store import PreparedProxies, ProxiesUnwritable, ProxyStore
from domain.library.proxy import Proxy, proxy_file_name, proxy_folder

HALF_WRITTEN = ".partial"
MOST_TRIES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesystemPreparedProxies(PreparedProxies):
    """Files beside their places, in the asset's folder: renaming them is all that is left."""

    folder: Path
    _waiting: dict[Path, Path] = field(default_factory=dict)
    """Each file that is not published, and its place."""

    def add(self, proxy: Proxy) -> None:
        name = proxy_file_name(proxy.kind)
        beside = self.folder / f"{name}.{uuid4().hex}{HALF_WRITTEN}"
        self._waiting[beside] = self.folder / name
        _write_new(beside, proxy.jpeg)

    @override
    def publish(self) -> None:
        with _as_unwritable():
            for beside, place in list(self._waiting.items()):
                beside.replace(place)
                del self._waiting[beside]

    @override
    def abandon(self) -> None:
        for beside in self._waiting:
            with suppress(OSError):
                beside.unlink()
        _remove_empty(self.folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesystemProxyStore(ProxyStore):
    """Written beside and renamed: a reader finds the old file or the new one, never a half."""

    proxy_path: Path

    @override
    def prepare(self, asset_id: UUID, proxies: Sequence[Proxy]) -> PreparedProxies:
        prepared = FilesystemPreparedProxies(folder=self._folder(asset_id))
        try:
            with _as_unwritable():
                for proxy in proxies:
                    prepared.add(proxy)
        except BaseException:
            prepared.abandon()
            raise
        return prepared

    @override
    def tidy(self, asset_id: UUID) -> None:
        with _as_unwritable():
            for half in self._folder(asset_id).glob("*" + HALF_WRITTEN):
                half.unlink(missing_ok=True)

    @override
    def discard(self, asset_id: UUID) -> None:
        folder = self._folder(asset_id)
        with _as_unwritable(), suppress(FileNotFoundError):
            shutil.rmtree(folder)
        _remove_empty(folder)

    def _folder(self, asset_id: UUID) -> Path:
        return self.proxy_path / proxy_folder(asset_id)


@contextmanager
def _as_unwritable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ProxiesUnwritable(reason_of(error)) from error


def _write_new(file: Path, content: bytes) -> None:
    """Write a file that is not there yet, and its folder.

    Whoever abandons or discards at the same time takes empty folders away: then they are made
    again. A folder that goes while it is being made is told as one that exists.
    """
    for _ in range(MOST_TRIES - 1):
        with suppress(FileNotFoundError, FileExistsError):
            _write_once(file, content)
            return
    _write_once(file, content)


def _write_once(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("xb") as stream:
        stream.write(content)


def _remove_empty(folder: Path) -> None:
    """The folder, and the upper one that it shares with other assets, where nothing is in them."""
    with suppress(OSError):
        for each in (folder, folder.parent):
            with suppress(FileNotFoundError):
                each.rmdir()
