"""Adapters that break at a chosen moment, as machines do."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO
from uuid import UUID

from typing_extensions import override

from adapters.filesystem.originals import FilesystemOriginals
from adapters.filesystem.proxy_store import HALF_WRITTEN, FilesystemProxyStore
from adapters.ingestion.content_hasher import XxhContentHasher
from application.ports.media_developer import MediaDeveloper
from application.ports.originals import CheckedRoot, ListingBatch
from application.ports.proxy_store import PreparedProxies
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Proxy, Rendition, proxy_file_name, proxy_folder
from domain.library.root import RootUnavailable


class Died(BaseException):
    """The process ended here: no code of the crawl may catch this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindOriginals(FilesystemOriginals):
    """Cannot read one folder, or will not describe one file."""

    folder: bytes

    @override
    def walk(self, root: CheckedRoot) -> Iterator[ListingBatch]:
        for batch in FilesystemOriginals.walk(self, root):
            hidden = self.folder + b"/"
            seen = [each for each in batch.files if not (each.path + b"/").startswith(hidden)]
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
    """Dies in the middle of an asset's proxies: a half written, or so many published."""

    published_before: int | None

    @override
    def prepare(self, asset_id: UUID, proxies: Sequence[Proxy]) -> PreparedProxies:
        if self.published_before is not None:
            ready = FilesystemProxyStore.prepare(self, asset_id, proxies)
            return DyingProxies(self, ready, asset_id, proxies[: self.published_before])
        FilesystemProxyStore.prepare(self, asset_id, proxies[:1])
        folder = self.proxy_path / proxy_folder(asset_id)
        (folder / (proxy_file_name(proxies[-1].kind) + HALF_WRITTEN)).write_bytes(b"half")
        raise Died


@dataclass(frozen=True, slots=True)
class DyingProxies(PreparedProxies):
    """Dies while it publishes, and the dead remove nothing."""

    store: FilesystemProxyStore
    ready: PreparedProxies
    asset_id: UUID
    first: Sequence[Proxy]

    @override
    def publish(self) -> None:
        FilesystemProxyStore.prepare(self.store, self.asset_id, self.first).publish()
        raise Died

    @override
    def abandon(self) -> None:
        """Nobody is left to do it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookedProxyStore(FilesystemProxyStore):
    """Something happens between what is prepared and its record, or before the commit."""

    after_prepare: Callable[[], None] = lambda: None
    after_publish: Callable[[], None] = lambda: None

    @override
    def prepare(self, asset_id: UUID, proxies: Sequence[Proxy]) -> PreparedProxies:
        prepared = FilesystemProxyStore.prepare(self, asset_id, proxies)
        self.after_prepare()
        return HookedProxies(prepared, self.after_publish)


@dataclass(frozen=True, slots=True)
class HookedProxies(PreparedProxies):
    prepared: PreparedProxies
    after_publish: Callable[[], None]

    @override
    def publish(self) -> None:
        self.prepared.publish()
        self.after_publish()

    @override
    def abandon(self) -> None:
        self.prepared.abandon()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlyDeveloper(MediaDeveloper):
    """Dies of one picture."""

    alive: MediaDeveloper
    killer: bytes

    @override
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        stream.seek(0)
        if stream.read() == self.killer:
            raise Died
        return self.alive.develop(stream, media_format, orientation)
