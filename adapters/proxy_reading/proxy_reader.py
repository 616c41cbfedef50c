"""Proxies, read from the folder that Workers write to.

A package of its own: the API may not load what writes files. Every name below the proxy path is
made from the asset's id and the kind; each step is opened from the one before and follows no link,
so that nothing outside can be reached whatever lies there.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

from typing_extensions import override

from application.ports.proxy_reader import ProxyReader, ProxyUnreadable
from domain.library.proxy import ProxyKind, proxy_file_name, proxy_folder

MOST_BYTES: Final = 16 * 1024 * 1024
"""Far more than a preview has; a larger file is none of ours."""

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# Nothing there, something else there, and a link there (two names, by the flags of the open).
_ABSENT: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO, errno.EISDIR})


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesystemProxyReader(ProxyReader):
    """The proxy path itself may be a link: it is the operator's. It need not exist yet."""

    proxy_path: Path

    @override
    def read(self, asset_id: UUID, kind: ProxyKind) -> bytes | None:
        try:
            with self._opened(asset_id, kind) as file:
                return _whole(file)
        except OSError as error:
            if error.errno in _ABSENT:
                return None
            raise ProxyUnreadable(os.strerror(error.errno or 0)) from error

    @contextmanager
    def _opened(self, asset_id: UUID, kind: ProxyKind) -> Iterator[int]:
        descriptor = os.open(self.proxy_path, _FOLDER)
        try:
            for name in proxy_folder(asset_id).split("/"):
                descriptor = _step(descriptor, name, _FOLDER | os.O_NOFOLLOW)
            descriptor = _step(descriptor, proxy_file_name(kind), _FILE)
            yield descriptor
        finally:
            os.close(descriptor)


def _step(folder: int, name: str, flags: int) -> int:
    """Go on to what is in the folder; where that is not possible, the folder stays open."""
    found = os.open(name, flags, dir_fd=folder)
    os.close(folder)
    return found


def _whole(file: int) -> bytes | None:
    kind = os.fstat(file)
    if not stat.S_ISREG(kind.st_mode) or kind.st_size > MOST_BYTES:
        return None
    with os.fdopen(os.dup(file), "rb") as stream:
        # The size is only what it was: the read has a limit of its own.
        content = stream.read(MOST_BYTES + 1)
    return content if len(content) <= MOST_BYTES else None
