"""An asset: one picture of one storage config, whatever the paths that hold it."""

from dataclasses import dataclass
from uuid import UUID

from domain.library.camera_text import camera_text
from domain.library.capture_date import Calendar, CaptureDate, capture_date
from domain.library.location import Location, location_of
from domain.library.media_type import MediaFormat, MediaType
from domain.library.orientation import Orientation, orientation_of
from domain.library.proxy import Rendition
from domain.library.raw_metadata import RawMetadata
from domain.library.signature import Content


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetMetadata:
    """What is known about a picture; None where the file does not say or says nonsense."""

    captured: CaptureDate | None
    location: Location | None
    orientation: Orientation
    make: str | None
    model: str | None
    lens: str | None


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
        orientation=orientation_of(raw.orientation),
        make=camera_text(raw.make),
        model=camera_text(raw.model),
        lens=camera_text(raw.lens),
    )
