"""A file whose content is new: its type, its metadata, its proxies, its rows."""

from dataclasses import dataclass
from typing import BinaryIO

from application.crawling.ingestion import Ingestion
from application.ports.crawl_listing import ListedChange
from application.ports.image_developer import DamagedImage, ImageDeveloper, TooManyPixels
from application.ports.metadata_reader import MetadataReader
from application.ports.proxy_store import ProxyStore
from domain.library.asset import DevelopedAsset, metadata_of
from domain.library.media_type import (
    HEAD_BYTES,
    MediaFormat,
    MediaType,
    format_of,
    is_other_media,
)
from domain.library.resolution import Action, Resolution
from domain.library.signature import Content
from domain.library.verdict import Disposition, FailReason, SkipReason, Verdict
from domain.work.attempt import ClaimLost


@dataclass(frozen=True, slots=True, kw_only=True)
class DevelopAsset:
    """The content decides what the file is, whatever its name says."""

    metadata: MetadataReader
    developer: ImageDeveloper
    proxies: ProxyStore

    def __call__(
        self,
        stream: BinaryIO,
        change: ListedChange,
        content: Content,
        resolution: Resolution,
        into: Ingestion,
    ) -> Verdict:
        head = _head(stream)
        media_format = format_of(head)
        if media_format is None:
            return _refuse(head, change, content, into)
        try:
            asset = self._developed(stream, media_format, change, content, resolution, into)
        except TooManyPixels:
            return _skip(change, SkipReason.TOO_MANY_PIXELS, content, into)
        except DamagedImage as error:
            return _fail(change, FailReason.DAMAGED, str(error), content, into)
        is_new = resolution.action is Action.CREATE
        is_restored = self._keep(change, asset, into, is_new=is_new)
        return Verdict(
            disposition=Disposition.INGESTED if is_new else Disposition.UPDATED,
            media_type=asset.media_type,
            is_restored=is_restored,
            bytes_read=content.size,
            proxies_written=len(asset.rendition.proxies),
        )

    def _developed(
        self,
        stream: BinaryIO,
        media_format: MediaFormat,
        change: ListedChange,
        content: Content,
        resolution: Resolution,
        into: Ingestion,
    ) -> DevelopedAsset:
        raw = self.metadata.read(stream, media_format)
        metadata = metadata_of(raw, change.signature.mtime_ns, into.calendar)
        return DevelopedAsset(
            asset_id=resolution.asset_id,
            content=content,
            media_type=MediaType.IMAGE,
            format=media_format,
            metadata=metadata,
            rendition=self.developer.develop(stream, media_format, metadata.orientation),
        )

    def _keep(
        self, change: ListedChange, asset: DevelopedAsset, into: Ingestion, *, is_new: bool
    ) -> bool:
        self.proxies.write(asset.asset_id, asset.rendition.proxies)
        try:
            return into.ledger.record(change, asset)
        except ClaimLost:
            # The run that took over swept before these were written; nobody else would.
            if is_new:
                self.proxies.discard(asset.asset_id)
            raise


def _head(stream: BinaryIO) -> bytes:
    stream.seek(0)
    return stream.read(HEAD_BYTES)


def _refuse(head: bytes, change: ListedChange, content: Content, into: Ingestion) -> Verdict:
    if is_other_media(head):
        return _skip(change, SkipReason.UNSUPPORTED_CONTENT, content, into)
    message = "the content is that of no known picture format"
    return _fail(change, FailReason.NOT_AN_IMAGE, message, content, into)


def _skip(change: ListedChange, reason: SkipReason, content: Content, into: Ingestion) -> Verdict:
    into.ledger.skip(change, reason, content)
    return Verdict(disposition=Disposition.SKIPPED, reason=reason, bytes_read=content.size)


def _fail(
    change: ListedChange, reason: FailReason, message: str, content: Content, into: Ingestion
) -> Verdict:
    into.ledger.fail(change, reason, message, content)
    return Verdict(disposition=Disposition.FAILED, reason=reason, bytes_read=content.size)
