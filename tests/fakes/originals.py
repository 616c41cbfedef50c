"""A folder of originals in memory, that can change and break at any moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO

from typing_extensions import override

from application.ports.originals import (
    CheckedRoot,
    ListingBatch,
    OriginalGone,
    Originals,
    OriginalUnreadable,
)
from domain.library.root import RootUnavailable
from domain.library.signature import ListedFile, Signature
from domain.library.verdict import SkipReason

JPEG = b"\xff\xd8\xff"


@dataclass
class InMemoryFile:
    content: bytes
    mtime_ns: int = 10**18


class OpenedFile(BytesIO):
    def __init__(self, file: InMemoryFile) -> None:
        super().__init__(file.content)
        self.file = file
        self.reads: list[int | None] = []

    @override
    def read(self, size: int | None = -1, /) -> bytes:
        self.reads.append(size)
        return super().read(size)


@dataclass
class InMemoryOriginals(Originals):
    files: dict[bytes, InMemoryFile] = field(default_factory=dict)
    links: int = 0
    unreadable_folders: list[bytes] = field(default_factory=list)
    unreadable_files: set[bytes] = field(default_factory=set)
    unavailable: str | None = None
    replaced: bool = False
    batch_size: int = 2
    opened: list[bytes] = field(default_factory=list)
    after_batch: Callable[[], None] = lambda: None
    checked: list[bytes] = field(default_factory=list)
    reads: list[int | None] = field(default_factory=list)
    """The sizes that were read of the file that was closed last."""

    def put(self, path: str, content: str | bytes, mtime_ns: int = 10**18) -> None:
        """A picture where the content is text, any file where it is bytes."""
        body = JPEG + content.encode() if isinstance(content, str) else content
        self.files[path.encode()] = InMemoryFile(body, mtime_ns)

    def move(self, old: str, new: str) -> None:
        self.files[new.encode()] = self.files.pop(old.encode())

    @override
    def check(self, root: bytes) -> CheckedRoot:
        if self.unavailable is not None:
            raise RootUnavailable(self.unavailable)
        self.checked.append(root)
        return CheckedRoot(path=root, identity=(1, 1))

    @override
    def recheck(self, root: CheckedRoot) -> None:
        assert root == CheckedRoot(path=self.checked[-1], identity=(1, 1))
        if self.replaced:
            raise RootUnavailable("another folder took its place")

    @override
    def walk(self, root: CheckedRoot) -> Iterator[ListingBatch]:
        assert root == CheckedRoot(path=self.checked[-1], identity=(1, 1))
        seen = [
            ListedFile(path, len(file.content), file.mtime_ns)
            for path, file in sorted(self.files.items())
            if not (path + b"/").startswith(tuple(each + b"/" for each in self.unreadable_folders))
        ]
        for start in range(0, len(seen), self.batch_size):
            yield ListingBatch(files=seen[start : start + self.batch_size], folders_visited=1)
            self.after_batch()
        for folder in self.unreadable_folders:
            yield ListingBatch(unreadable=[folder])
        skipped = {SkipReason.LINK: self.links} if self.links else {}
        yield ListingBatch(skipped=skipped, folders_visited=1)

    @override
    @contextmanager
    def open(self, root: CheckedRoot, path: bytes) -> Iterator[BinaryIO]:
        assert root.identity == (1, 1)
        if path not in self.files:
            raise OriginalGone("it is not there any more")
        if path in self.unreadable_files:
            raise OriginalUnreadable("Permission denied")
        self.opened.append(path)
        with OpenedFile(self.files[path]) as stream:
            yield stream
            self.reads = stream.reads

    @override
    def signature(self, stream: BinaryIO) -> Signature:
        assert isinstance(stream, OpenedFile)
        return Signature(len(stream.file.content), stream.file.mtime_ns)
