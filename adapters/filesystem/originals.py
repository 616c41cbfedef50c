"""The originals on this machine's file systems. Paths are bytes; links are never followed."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader, FileIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from typing_extensions import override

from adapters.filesystem.descent import (
    FOLDER,
    FolderIdentity,
    identity_of,
    open_file,
    opened_below,
)
from adapters.filesystem.folder_walk import walk_folder
from adapters.filesystem.system_reasons import reason_of
from application.ports.originals import (
    CheckedRoot,
    ListingBatch,
    OriginalGone,
    Originals,
    OriginalUnreadable,
)
from domain.errors import DomainError
from domain.library.proxy import is_among_proxies
from domain.library.root import RootUnavailable
from domain.library.signature import Signature

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO})


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesystemOriginals(Originals):
    """Everything below `worker_root`, the only folder that a Worker may read originals from.

    But for the assets' folders below `proxy_path`: a crawl that took its own proxies for originals
    would make two of each, and at the next run two of each of those.
    """

    worker_root: Path
    proxy_path: Path

    @override
    def check(self, root: bytes) -> CheckedRoot:
        try:
            resolved = os.path.realpath(root, strict=True)
            allowed = os.path.realpath(os.fsencode(self.worker_root))
            if os.path.commonpath([allowed, resolved]) != allowed:
                raise RootUnavailable("it is not below WORKER__ROOT")
            self._refuse_proxies(resolved)
            identity = _listed_identity(allowed, resolved)
        except OSError as error:
            raise RootUnavailable(reason_of(error)) from error
        return CheckedRoot(path=resolved, identity=identity)

    @override
    def recheck(self, root: CheckedRoot) -> None:
        if self.check(root.path) != root:
            raise RootUnavailable("another folder took its place during the listing")

    @override
    def walk(self, root: CheckedRoot) -> Iterator[ListingBatch]:
        return walk_folder(root, self._proxies_identity())

    def _refuse_proxies(self, resolved: bytes) -> None:
        proxies = os.path.realpath(os.fsencode(self.proxy_path))
        below = os.path.relpath(resolved, proxies)
        if os.path.commonpath([proxies, resolved]) == proxies and is_among_proxies(below):
            raise RootUnavailable("it lies among the proxies")

    def _proxies_identity(self) -> FolderIdentity | None:
        """Whatever its path is here; None where it is not there yet."""
        try:
            found = self.proxy_path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @override
    @contextmanager
    def open(self, root: CheckedRoot, path: bytes) -> Iterator[BinaryIO]:
        with _opened(root, path) as stream:
            yield stream

    @override
    def signature(self, stream: BinaryIO) -> Signature:
        with _as_unreadable():
            found = os.fstat(stream.fileno())
        return Signature(found.st_size, found.st_mtime_ns)


class _OriginalFile(FileIO):
    """Tells an original that cannot be read from every other error of the system."""

    @override
    def readinto(self, buffer: "WriteableBuffer", /) -> int | None:
        with _as_unreadable():
            return super().readinto(buffer)

    @override
    def readall(self) -> bytes:
        with _as_unreadable():
            return super().readall()

    @override
    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        try:
            return super().seek(offset, whence)
        except OSError as error:
            if error.errno == errno.EINVAL:
                raise  # No file has that place: what named it is wrong, and nothing is unreadable.
            raise _named(error) from error


def original_of(descriptor: int) -> BinaryIO:
    """An original that is open already; the descriptor is closed with it."""
    return BufferedReader(_OriginalFile(descriptor, "rb"))


def _opened(root: CheckedRoot, path: bytes) -> BinaryIO:
    with _as_unreadable():
        descriptor = open_file(root, path)
        try:
            is_regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        except OSError:
            os.close(descriptor)
            raise
    if not is_regular:
        os.close(descriptor)
        raise OriginalGone("it is no regular file any more")
    return original_of(descriptor)


@contextmanager
def _as_unreadable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _named(error) from error


def _named(error: OSError) -> DomainError:
    if error.errno in GONE:
        return OriginalGone("it is not there any more")
    return OriginalUnreadable(reason_of(error))


def _listed_identity(allowed: bytes, resolved: bytes) -> FolderIdentity:
    """Of a root that can be listed. What was resolved may be a link again by now."""
    base = os.open(allowed, FOLDER)
    try:
        below = os.path.relpath(resolved, allowed)
        with opened_below(base, b"" if below == b"." else below) as folder:
            with os.scandir(folder) as entries:
                next(entries, None)
            return identity_of(folder)
    finally:
        os.close(base)
