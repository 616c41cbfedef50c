"""Adapters that break at a chosen moment, as machines do."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO
from uuid import UUID

from typing_extensions import override

from adapters.filesystem.originals import FilesystemOriginals
from adapters.filesystem.proxy_store import HALF_WRITTEN, FilesystemProxyStore
from adapters.ingestion.content_hasher import XxhContentHasher
from adapters.ingestion.image_developer import VipsImageDeveloper
from application.ports.originals import CheckedRoot, ListingBatch
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Proxy, Rendition, proxy_file_name, proxy_folder
from domain.library.root import RootUnavailable


class Died(BaseException):
    """The process ended here: no code of the crawl may catch this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindOriginals(FilesystemOriginals):
    """Cannot read one folder."""

    folder: bytes

    @override
    def walk(self, root: CheckedRoot) -> Iterator[ListingBatch]:
        for batch in FilesystemOriginals.walk(self, root):
            seen = [each for each in batch.files if not each.path.startswith(self.folder + b"/")]
            yield ListingBatch(
                files=seen,
                skipped=batch.skipped,
                folders_visited=batch.folders_visited,
                unreadable=[self.folder],
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class VanishingOriginals(FilesystemOriginals):
    """The volume goes away during the listing."""

    @override
    def walk(self, root: CheckedRoot) -> Iterator[ListingBatch]:
        yield ListingBatch(folders_visited=1)
        raise RootUnavailable("it could not be listed to its end")


@dataclass
class HookedHasher(XxhContentHasher):
    """Does something after each hash."""

    after: Callable[[int], None]
    hashed: int = 0

    @override
    def hash(self, stream: BinaryIO) -> str:
        digest = super().hash(stream)
        self.hashed += 1
        self.after(self.hashed)
        return digest


@dataclass(frozen=True, slots=True, kw_only=True)
class DyingProxyStore(FilesystemProxyStore):
    """Dies in the middle of an asset's proxies, after so many were written."""

    written_before: int

    @override
    def write(self, asset_id: UUID, proxies: Sequence[Proxy]) -> None:
        FilesystemProxyStore.write(self, asset_id, proxies[: self.written_before])
        folder = self.proxy_path / proxy_folder(asset_id)
        folder.mkdir(parents=True, exist_ok=True)
        name = proxy_file_name(proxies[-1].kind) + HALF_WRITTEN
        (folder / name).write_bytes(b"half")
        raise Died


@dataclass(frozen=True, slots=True, kw_only=True)
class OvertakenProxyStore(FilesystemProxyStore):
    """Another Worker takes the item over while the proxies are written."""

    overtake: Callable[[], None]

    @override
    def write(self, asset_id: UUID, proxies: Sequence[Proxy]) -> None:
        FilesystemProxyStore.write(self, asset_id, proxies)
        self.overtake()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlyDeveloper(VipsImageDeveloper):
    """Dies of one picture."""

    killer: bytes

    @override
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        stream.seek(0)
        if stream.read() == self.killer:
            raise Died
        return VipsImageDeveloper.develop(self, stream, media_format, orientation)
