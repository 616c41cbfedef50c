"""The walk: every file below a root once, in batches, a folder at a time.

Each folder is opened when its turn comes, and its entries are looked at from there: what has become
a link by then is not followed.
"""

import errno
import os
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from adapters.filesystem.descent import (
    NAMES,
    FolderIdentity,
    identity_of,
    opened_below,
    opened_root,
)
from application.ports.originals import CheckedRoot, ListingBatch
from domain.library.file_names import is_passed_over_file, is_passed_over_folder
from domain.library.proxy import is_proxy_folder
from domain.library.root import RootUnavailable
from domain.library.signature import ListedFile
from domain.library.verdict import SkipReason

FILES_PER_BATCH = 5_000
SECONDS_PER_BATCH = 1.0
ENTRIES_PER_LOOK = 32


def walk_folder(root: CheckedRoot, proxies: FolderIdentity | None) -> Iterator[ListingBatch]:
    """See Originals.walk; at least a batch a second, as long as the system answers.

    Where the folder `proxies` is met, the folders of assets in it are passed over.
    """
    try:
        with opened_root(root) as base:
            yield from _walked(_Walk(base, root.identity[0], proxies))
    except OSError as error:
        raise RootUnavailable("it could not be listed to its end") from error


def _walked(walk: "_Walk") -> Iterator[ListingBatch]:
    while walk.to_visit:
        folder = walk.to_visit.pop()
        try:
            yield from walk.visit(folder)
        except OSError:
            if not folder:
                raise
            walk.unreadable.append(folder)
    yield walk.take_batch()


@dataclass(slots=True)
class _Walk:
    base: int
    """The root's descriptor."""
    device: int
    proxies: FolderIdentity | None
    to_visit: list[bytes] = field(default_factory=lambda: [b""])
    """Folders relative to the root; the next to visit is the last."""
    files: list[ListedFile] = field(default_factory=list)
    skipped: Counter[SkipReason] = field(default_factory=Counter)
    visited: int = 0
    unreadable: list[bytes] = field(default_factory=list)
    before_proxies: bytes | None = None
    """The beginning of every path that leads into the folder of the proxies, once it was met."""
    due_at: float = field(default_factory=lambda: time.monotonic() + SECONDS_PER_BATCH)

    def take_batch(self) -> ListingBatch:
        batch = ListingBatch(
            files=self.files,
            skipped=dict(self.skipped),
            folders_visited=self.visited,
            unreadable=self.unreadable,
        )
        self.files, self.skipped, self.visited, self.unreadable = [], Counter(), 0, []
        self.due_at = time.monotonic() + SECONDS_PER_BATCH
        return batch

    def is_batch_due(self) -> bool:
        return len(self.files) >= FILES_PER_BATCH or time.monotonic() >= self.due_at

    def visit(self, folder: bytes) -> Iterator[ListingBatch]:
        """List one folder; its sub-folders are left to visit, also where it breaks off."""
        self.visited += 1
        prefix = folder + b"/" if folder else b""
        subfolders: list[bytes] = []
        try:
            with opened_below(self.base, folder) as opened:
                self._refuse_other_device(opened)
                if self.proxies is not None and identity_of(opened) == self.proxies:
                    self.before_proxies = prefix
                here = _Folder(opened, prefix, subfolders)
                with os.scandir(opened) as entries:
                    while self._take_some(entries, here):
                        if self.is_batch_due():
                            yield self.take_batch()
        finally:
            self.to_visit.extend(subfolders)

    def _refuse_other_device(self, opened: int) -> None:
        if os.fstat(opened).st_dev != self.device:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    def _take_some(self, entries: Iterator[os.DirEntry[str]], folder: "_Folder") -> bool:
        """Take up the next few entries; False where none is left. No call for each of a million.

        An entry's error is its own, and never its folder's. What vanished meanwhile is no entry any
        more; of what the system will not describe (a dead mount), all that was known keeps its
        state.
        """
        are_left = False
        prefix = folder.prefix
        for entry in islice(entries, ENTRIES_PER_LOOK):
            are_left = True
            name = entry.name.encode(*NAMES)
            try:
                if not entry.is_file(follow_symlinks=False):
                    self._take_other(entry, name, folder)
                elif not is_passed_over_file(name):
                    # Relative to the descriptor, as the folder was listed by it.
                    found = entry.stat(follow_symlinks=False)
                    file = ListedFile(prefix + name, found.st_size, found.st_mtime_ns)
                    self.files.append(file)
            except FileNotFoundError:
                continue
            except OSError:
                if not _is_passed_over(name):
                    self.unreadable.append(prefix + name)
        return are_left

    def _take_other(self, entry: os.DirEntry[str], name: bytes, folder: "_Folder") -> None:
        if entry.is_dir(follow_symlinks=False):
            if not is_passed_over_folder(name):
                self._take_folder(name, folder)
        elif not is_passed_over_file(name):
            self.skipped[_reason_to_skip(entry)] += 1

    def _take_folder(self, name: bytes, folder: "_Folder") -> None:
        # Not the entry's: the device under a mount point is only told by a fresh look.
        if folder.look(name).st_dev != self.device:
            self.skipped[SkipReason.OTHER_DEVICE] += 1
        elif not self._is_of_proxies(folder.prefix + name):
            folder.subfolders.append(folder.prefix + name)

    def _is_of_proxies(self, path: bytes) -> bool:
        before = self.before_proxies
        if before is None or not path.startswith(before):
            return False
        return is_proxy_folder(path[len(before) :])


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder that is open and being listed."""

    opened: int
    prefix: bytes
    subfolders: list[bytes]
    """Found so far."""

    def look(self, name: bytes) -> os.stat_result:
        return os.stat(name, dir_fd=self.opened, follow_symlinks=False)


def _reason_to_skip(entry: os.DirEntry[str]) -> SkipReason:
    if entry.is_symlink():
        return SkipReason.LINK
    # Where folders do not tell what their entries are, one that vanished looks special until now.
    entry.stat(follow_symlinks=False)
    return SkipReason.SPECIAL


def _is_passed_over(name: bytes) -> bool:
    """Whatever the entry is: that may be what the system does not tell."""
    return is_passed_over_file(name) and is_passed_over_folder(name)
