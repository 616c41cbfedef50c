"""What a reader found in a file, as it stood there: the rules of the domain make sense of it."""

from dataclasses import dataclass, field

from domain.library.capture_date import RawDates
from domain.library.location import RawLocation


@dataclass(frozen=True, slots=True, kw_only=True)
class RawMetadata:
    """Every field is optional; one that could not be read is left out, the others are kept."""

    dates: RawDates = field(default_factory=RawDates)
    location: RawLocation = field(default_factory=RawLocation)
    orientation: int | None = None
    """EXIF's number. None where the decoder turns the picture by itself."""
    make: bytes | None = None
    model: bytes | None = None
    lens: bytes | None = None
    content_identifier: str | None = None
    """Apple's, the same in both halves of a Live Photo."""
    duration_seconds: float | None = None
    """Of a video."""
