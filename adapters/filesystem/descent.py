"""Ways down from a root, a component at a time and through no link, whatever is swapped meanwhile.

A path is safe only while nobody changes it: between a look at a folder and its opening, the folder
may have become a link to somebody else's. A descriptor stays the folder that it was opened as.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from application.ports.originals import CheckedRoot

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# NONBLOCK: a pipe that took the file's place must not hold the crawl up.
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
NAMES = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()
"""How a name that comes as text is made bytes again: an opened folder is listed as text."""
FolderIdentity: TypeAlias = tuple[int, int]
"""Device and inode."""
DEEPEST = 2_048
"""Levels: as many as a path in one piece can have. Each folder costs an opening a level."""


@contextmanager
def opened_root(root: CheckedRoot) -> Iterator[int]:
    """The root's descriptor; FileNotFoundError where another folder is in its place."""
    descriptor = os.open(root.path, FOLDER)
    try:
        if identity_of(descriptor) != root.identity:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def opened_below(base: int, path: bytes) -> Iterator[int]:
    """The descriptor of a folder below an opened one; `path` is relative, and empty for itself.

    OSError where a component is no folder any more: ENOENT, ENOTDIR or ELOOP.
    """
    names = path.split(b"/") if path else []
    if len(names) > DEEPEST:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    descriptor = os.dup(base)
    try:
        for name in names:
            below = os.open(name, FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def open_file(root: CheckedRoot, path: bytes) -> int:
    """The descriptor of a file below the root; OSError as above."""
    folder, _, name = path.rpartition(b"/")
    with opened_root(root) as base, opened_below(base, folder) as parent:
        return os.open(name, FILE, dir_fd=parent)


def identity_of(folder: int) -> FolderIdentity:
    found = os.fstat(folder)
    return found.st_dev, found.st_ino
