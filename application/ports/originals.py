"""The originals: a folder tree that is only ever read."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol

from domain.errors import DomainError
from domain.library.signature import ListedFile, Signature
from domain.library.verdict import SkipReason


class OriginalGone(DomainError):
    """The file is not there any more, or no regular file any more."""


class OriginalUnreadable(DomainError):
    """The file is there and cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRoot:
    """A root that could be listed, resolved, with the identity by which it is known again."""

    path: bytes
    identity: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingBatch:
    """A part of the walk: at most a few thousand files, so that memory stays flat."""

    files: Sequence[ListedFile] = ()
    skipped: Mapping[SkipReason, int] = field(default_factory=dict)
    """Entries that are no files of this tree (links, pipes, other devices), counted."""
    folders_visited: int = 0
    unreadable: Sequence[bytes] = ()
    """Folders, relative to the root, whose content is not known or not wholly.

    So too single entries that the system would not describe, be they folders or files.
    """


class Originals(Protocol):
    """Walks and opens originals. No error of it names a path."""

    @abstractmethod
    def check(self, root: bytes) -> CheckedRoot:
        """Resolve the root; raises RootUnavailable.

        It must exist, be a folder below the Worker's root, be listable, and not lie among the
        proxies.
        """

    @abstractmethod
    def recheck(self, root: CheckedRoot) -> None:
        """Raise RootUnavailable where the root is not the folder any more that it was."""

    @abstractmethod
    def walk(self, root: CheckedRoot) -> Iterator[ListingBatch]:
        """Every file below the root, once, without following links or leaving the device.

        Names that are passed over are left out, and so are the proxies, wherever they lie, and what
        vanishes before it is looked at. A folder or an entry that cannot be read is named in
        `unreadable`; where that is the root itself, RootUnavailable is raised.
        """

    @abstractmethod
    def open(self, root: CheckedRoot, path: bytes) -> AbstractContextManager[BinaryIO]:
        """The file's bytes, seekable; raises OriginalGone or OriginalUnreadable.

        Reading and seeking may raise them too.
        """

    @abstractmethod
    def signature(self, stream: BinaryIO) -> Signature:
        """The signature of an opened file as it is now; raises as reading does."""
