"""Reads one original: what it holds, and that it held still meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from application.ports.content_hasher import ContentHasher
from application.ports.crawl_listing import ListedChange
from application.ports.originals import CheckedRoot, OriginalGone, Originals
from domain.errors import DomainError
from domain.library.signature import Content


class OriginalChanging(DomainError):
    """The file is not the one that was listed; the next crawl sees it as it is by then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOriginal:
    """Opens files and hashes them between two looks at their signature."""

    originals: Originals
    hasher: ContentHasher

    @contextmanager
    def opened(self, root: CheckedRoot, change: ListedChange) -> Iterator[BinaryIO]:
        """The listed file; raises OriginalChanging or OriginalUnreadable."""
        try:
            with self.originals.open(root, change.path) as stream:
                yield stream
        except OriginalGone as error:
            raise OriginalChanging from error

    def content(self, stream: BinaryIO, change: ListedChange) -> Content:
        """Stat, hash, stat; the hash is taken from the change where it was noted before."""
        self._refuse_other(stream, change)
        if change.xxh64 is not None:
            return Content(change.signature.size, change.xxh64)
        xxh64 = self.hasher.hash(stream)
        self._refuse_other(stream, change)
        return Content(change.signature.size, xxh64)

    def _refuse_other(self, stream: BinaryIO, change: ListedChange) -> None:
        if self.originals.signature(stream) != change.signature:
            raise OriginalChanging
