"""An asset: one picture or video of one storage config, whatever the paths that hold it."""

import math
import re
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from domain.library.camera_text import camera_text
from domain.library.capture_date import Calendar, CaptureDate, capture_date
from domain.library.location import Location, location_of
from domain.library.media_type import MediaFormat, MediaType
from domain.library.proxy import Rendition
from domain.library.raw_metadata import RawMetadata
from domain.library.signature import Content

_UUID: Final = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_LONGEST_IDENTIFIER: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetMetadata:
    """What a file says about itself; None where it does not say or says nonsense."""

    captured: CaptureDate | None
    location: Location | None
    make: str | None
    model: str | None
    lens: str | None
    content_identifier: str | None
    """Apple's, the same in both halves of a Live Photo."""
    duration_seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DevelopedAsset:
    """All that one file's content makes of an asset."""

    asset_id: UUID
    content: Content
    media_type: MediaType
    format: MediaFormat
    metadata: AssetMetadata
    rendition: Rendition


def metadata_of(raw: RawMetadata, mtime_ns: int, calendar: Calendar) -> AssetMetadata:
    """The domain's rules applied to each field on its own."""
    return AssetMetadata(
        captured=capture_date(raw.dates, mtime_ns, calendar),
        location=location_of(raw.location),
        make=camera_text(raw.make),
        model=camera_text(raw.model),
        lens=camera_text(raw.lens),
        content_identifier=_identifier(raw.content_identifier),
        duration_seconds=_duration(raw.duration_seconds),
    )


def _identifier(text: str | None) -> str | None:
    if text is None:
        return None
    tidy = text.partition("\x00")[0].strip()
    if _UUID.fullmatch(tidy):
        return tidy.upper()
    return tidy if tidy.isprintable() and 0 < len(tidy) <= _LONGEST_IDENTIFIER else None


def _duration(seconds: float | None) -> float | None:
    if seconds is None or not math.isfinite(seconds) or seconds < 0:
        return None
    return seconds
