"""A file whose content is new: its type, its metadata, its proxies, its rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO, Final

from application.crawling.ingestion import Ingestion, OpenedFile
from application.crawling.refuse_file import fail, skip
from application.ports.asset_ledger import AssetLedger
from application.ports.decoders import DecoderDied, Decoders
from application.ports.media_developer import (
    DamagedMedium,
    NoVideoStream,
    TooLarge,
    TooManyPixels,
)
from application.ports.proxy_store import ProxyStore
from domain.errors import DomainError
from domain.library.asset import DevelopedAsset, metadata_of
from domain.library.capture_date import Calendar
from domain.library.isolation import is_decoded_apart
from domain.library.media_type import (
    HEAD_BYTES,
    MediaFormat,
    MediaType,
    format_of,
    is_other_media,
    type_by_name,
    type_of,
)
from domain.library.orientation import orientation_of
from domain.library.resolution import Action, Resolution
from domain.library.verdict import Disposition, FailReason, SkipReason, Verdict

SKIPPED: Final[Mapping[type[DomainError], SkipReason]] = {
    TooManyPixels: SkipReason.TOO_MANY_PIXELS,
    TooLarge: SkipReason.TOO_LARGE,
    NoVideoStream: SkipReason.NO_VIDEO_STREAM,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DevelopAsset:
    """The content decides what the file is, whatever its name says.

    Its proxies are prepared beside their places and published by the ledger, inside the
    transaction that writes the rows: a run that lost its claim replaces nothing of a newer one.
    """

    decoders: Decoders
    proxies: ProxyStore

    def __call__(self, file: OpenedFile, resolution: Resolution, into: Ingestion) -> Verdict:
        head = _head(file.stream)
        media_format = format_of(head)
        if media_format is None:
            return _refuse(head, file, into.ledger)
        try:
            asset = self._developed(file, media_format, resolution, into)
        except (TooManyPixels, TooLarge, NoVideoStream) as error:
            return skip(file, SKIPPED[type(error)], into.ledger)
        except DamagedMedium as error:
            return fail(file, FailReason.DAMAGED, str(error), into.ledger)
        except DecoderDied as error:
            return fail(file, FailReason.CRASHES, str(error), into.ledger)
        return self._keep(file, asset, resolution.action, into.ledger)

    def _developed(
        self, file: OpenedFile, media_format: MediaFormat, resolution: Resolution, into: Ingestion
    ) -> DevelopedAsset:
        develop = partial(_develop, file, media_format, resolution, into.calendar)
        is_suspect = file.change.is_suspect
        if not is_decoded_apart(attempt=into.attempt, is_suspect=is_suspect):
            return develop(self.decoders)
        try:
            return develop(into.apart)
        except DecoderDied:
            if is_suspect:
                raise  # That was its second death.
        return develop(into.apart)

    def _keep(
        self, file: OpenedFile, asset: DevelopedAsset, action: Action, ledger: AssetLedger
    ) -> Verdict:
        prepared = self.proxies.prepare(asset.asset_id, asset.rendition.proxies)
        try:
            is_restored = ledger.record(file.change, asset, prepared.publish)
        except BaseException:
            # A run that took over may have swept before these were written; nobody else would.
            prepared.abandon()
            raise
        is_new = action is Action.CREATE
        return Verdict(
            disposition=Disposition.INGESTED if is_new else Disposition.UPDATED,
            media_type=asset.media_type,
            is_restored=is_restored,
            bytes_read=file.content.size,
            proxies_written=len(asset.rendition.proxies),
        )


def _develop(
    file: OpenedFile,
    media_format: MediaFormat,
    resolution: Resolution,
    calendar: Calendar,
    decoders: Decoders,
) -> DevelopedAsset:
    raw = decoders.metadata.read(file.stream, media_format)
    orientation = orientation_of(raw.orientation)
    return DevelopedAsset(
        asset_id=resolution.asset_id,
        content=file.content,
        media_type=type_of(media_format),
        format=media_format,
        metadata=metadata_of(raw, file.change.signature.mtime_ns, calendar),
        rendition=decoders.developer.develop(file.stream, media_format, orientation),
    )


def _head(stream: BinaryIO) -> bytes:
    stream.seek(0)
    return stream.read(HEAD_BYTES)


def _refuse(head: bytes, file: OpenedFile, ledger: AssetLedger) -> Verdict:
    if is_other_media(head):
        return skip(file, SkipReason.UNSUPPORTED_CONTENT, ledger)
    if type_by_name(file.change.path) is MediaType.VIDEO:
        message = "the content is that of no known video format"
        return fail(file, FailReason.NOT_A_VIDEO, message, ledger)
    message = "the content is that of no known picture format"
    return fail(file, FailReason.NOT_AN_IMAGE, message, ledger)
