"""Proxies in folders of their own, below the proxy path."""

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from typing_extensions import override

from application.ports.proxy_store import ProxyStore
from domain.library.proxy import Proxy, proxy_file_name, proxy_folder

HALF_WRITTEN = ".partial"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesystemProxyStore(ProxyStore):
    """Written beside and renamed: a reader finds the old file or the new one, never a half."""

    proxy_path: Path

    @override
    def write(self, asset_id: UUID, proxies: Sequence[Proxy]) -> None:
        folder = self._folder(asset_id)
        folder.mkdir(parents=True, exist_ok=True)
        for proxy in proxies:
            name = proxy_file_name(proxy.kind)
            beside = folder / (name + HALF_WRITTEN)
            beside.write_bytes(proxy.jpeg)
            beside.replace(folder / name)

    @override
    def tidy(self, asset_id: UUID) -> None:
        for half in self._folder(asset_id).glob("*" + HALF_WRITTEN):
            half.unlink(missing_ok=True)

    @override
    def discard(self, asset_id: UUID) -> None:
        folder = self._folder(asset_id)
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)
        # Other assets share the upper folder: it goes only when it is empty.
        with suppress(OSError):
            os.rmdir(folder.parent)  # noqa: PTH106

    def _folder(self, asset_id: UUID) -> Path:
        return self.proxy_path / proxy_folder(asset_id)
