"""Decoders and a proxy store in memory."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import BinaryIO
from uuid import UUID

from typing_extensions import override

from application.ports.content_hasher import ContentHasher
from application.ports.decoders import Decoders, DecodersApart
from application.ports.media_developer import (
    DamagedMedium,
    MediaDeveloper,
    NoVideoStream,
    TooLarge,
    TooManyPixels,
)
from application.ports.metadata_reader import MetadataReader
from application.ports.proxy_store import PreparedProxies, ProxyStore
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Proxy, ProxyKind, Rendition
from domain.library.raw_metadata import RawMetadata

HALVES = re.compile(rb"(?:still|half) (\d)")


def heic(words: str) -> bytes:
    """A picture as an iPhone takes it."""
    return b"\x00\x00\x00\x14ftypheic" + words.encode()


def video(words: str) -> bytes:
    """A video; `half 1` carries the identifier that `still 1` carries in a picture."""
    return b"\x00\x00\x00\x14ftypqt  " + words.encode()


def hash_of(content: bytes) -> str:
    return blake2b(content, digest_size=8).hexdigest()


@dataclass
class InMemoryContentHasher(ContentHasher):
    after: Callable[[], None] = lambda: None
    hashed: int = 0

    @override
    def hash(self, stream: BinaryIO) -> str:
        stream.seek(0)
        digest = hash_of(stream.read())
        self.hashed += 1
        self.after()
        return digest


@dataclass
class InMemoryMetadataReader(MetadataReader):
    before: Callable[[bytes], None] = lambda _: None
    raw: RawMetadata = field(default_factory=RawMetadata)
    formats: list[MediaFormat] = field(default_factory=list)

    @override
    def read(self, stream: BinaryIO, media_format: MediaFormat) -> RawMetadata:
        assert stream.seekable()
        self.formats.append(media_format)
        stream.seek(0)
        content = stream.read()
        self.before(content)
        half = HALVES.search(content)
        if half is None:
            return self.raw
        number = int(half.group(1))
        return replace(self.raw, content_identifier=str(UUID(int=number)))


@dataclass
class InMemoryMediaDeveloper(MediaDeveloper):
    """The word in the content says what is wrong with the picture."""

    before: Callable[[bytes], None] = lambda _: None
    developed: list[tuple[MediaFormat, Orientation]] = field(default_factory=list)

    @override
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        stream.seek(0)
        content = stream.read()
        self.before(content)
        if b"HUGE" in content:
            raise TooManyPixels("more than 1 megapixels")
        if b"LARGE" in content:
            raise TooLarge("larger than 1 MiB")
        if b"SOUND" in content:
            raise NoVideoStream("the file holds no video")
        if b"DAMAGED" in content:
            raise DamagedMedium("it is damaged")
        self.developed.append((media_format, orientation))
        small = Proxy(kind=ProxyKind.THUMBNAIL, width=4, height=3, jpeg=b"small " + content)
        large = Proxy(kind=ProxyKind.PREVIEW, width=40, height=30, jpeg=b"large " + content)
        return Rendition(
            width=400,
            height=300,
            orientation=orientation,
            proxies=(small, large),
            blurhash="L",
        )


@dataclass
class InMemoryDecodersApart(DecodersApart):
    """Threads in place of processes; `before` of either decoder may raise DecoderDied."""

    metadata: InMemoryMetadataReader
    developer: InMemoryMediaDeveloper
    is_open: bool = False

    @override
    @contextmanager
    def opened(self) -> Iterator[Decoders]:
        self.is_open = True
        try:
            yield Decoders(metadata=self.metadata, developer=self.developer)
        finally:
            self.is_open = False


@dataclass(eq=False)
class InMemoryPreparedProxies(PreparedProxies):
    store: "InMemoryProxyStore"
    asset_id: UUID
    files: list[bytes]

    @override
    def publish(self) -> None:
        self.store.before_publish()
        self.store.prepared.remove(self)
        self.store.kept[self.asset_id] = self.files

    @override
    def abandon(self) -> None:
        self.store.abandoned.append(self.asset_id)
        if self in self.store.prepared:
            self.store.prepared.remove(self)


@dataclass
class InMemoryProxyStore(ProxyStore):
    kept: dict[UUID, list[bytes]] = field(default_factory=dict)
    prepared: list[InMemoryPreparedProxies] = field(default_factory=list)
    abandoned: list[UUID] = field(default_factory=list)
    tidied: list[UUID] = field(default_factory=list)
    discarded: list[UUID] = field(default_factory=list)
    after_prepare: Callable[[], None] = lambda: None
    before_publish: Callable[[], None] = lambda: None

    @override
    def prepare(self, asset_id: UUID, proxies: Sequence[Proxy]) -> PreparedProxies:
        prepared = InMemoryPreparedProxies(self, asset_id, [each.jpeg for each in proxies])
        self.prepared.append(prepared)
        self.after_prepare()
        return prepared

    @override
    def tidy(self, asset_id: UUID) -> None:
        self.tidied.append(asset_id)
        self.prepared = [each for each in self.prepared if each.asset_id != asset_id]

    @override
    def discard(self, asset_id: UUID) -> None:
        self.discarded.append(asset_id)
        self.prepared = [each for each in self.prepared if each.asset_id != asset_id]
        self.kept.pop(asset_id, None)
