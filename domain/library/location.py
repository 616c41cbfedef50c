"""Where a picture was taken, from what the camera wrote about it."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_PARTS_AT_MOST: Final = 3
_SIXTY: Final = 60
_ISO_6709: Final = re.compile(
    r"([-+])(\d+)(\.\d+)?([-+])(\d+)(\.\d+)?(?:[-+].*|/|CRS.*)?", re.ASCII
)
_LATITUDE_DIGITS: Final = 2
_LONGITUDE_DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class Location:
    """Degrees, WGS 84; north and east are positive."""

    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RawLocation:
    """As found: degrees, minutes and seconds, and the letter of the hemisphere."""

    latitude: Sequence[float] | None = None
    latitude_ref: str = ""
    longitude: Sequence[float] | None = None
    longitude_ref: str = ""


def raw_location_of_iso6709(text: str) -> RawLocation:
    """What a video says, such as `+48.8584+002.2945+035/`; nothing where it can't be read."""
    match = _ISO_6709.fullmatch(text.strip())
    if match is None:
        return RawLocation()
    north, latitude, latitude_rest, east, longitude, longitude_rest = match.groups()
    return RawLocation(
        latitude=_iso_parts(latitude, latitude_rest, _LATITUDE_DIGITS),
        latitude_ref="N" if north == "+" else "S",
        longitude=_iso_parts(longitude, longitude_rest, _LONGITUDE_DIGITS),
        longitude_ref="E" if east == "+" else "W",
    )


def location_of(raw: RawLocation) -> Location | None:
    """The place, or None where half of it is missing, impossible, or the 0/0 of a lost fix."""
    latitude = _degrees(raw.latitude, raw.latitude_ref, "N", "S", 90)
    longitude = _degrees(raw.longitude, raw.longitude_ref, "E", "W", 180)
    if latitude is None or longitude is None:
        return None
    if latitude == 0 and longitude == 0:
        return None
    return Location(latitude, longitude)


def _degrees(
    parts: Sequence[float] | None, ref: str, positive: str, negative: str, limit: int
) -> float | None:
    sign = {positive: 1, negative: -1}.get(ref.strip().upper()[:1])
    if sign is None or parts is None or not 1 <= len(parts) <= _PARTS_AT_MOST:
        return None
    if not all(math.isfinite(part) and part >= 0 for part in parts):
        return None
    if any(part > _SIXTY for part in parts[1:]):
        return None
    degrees = sum(part / _SIXTY**power for power, part in enumerate(parts))
    # Adding 0.0 turns the -0.0 of "0 S" into 0.0.
    return sign * degrees + 0.0 if degrees <= limit else None


def _iso_parts(digits: str, rest: str | None, degree_digits: int) -> Sequence[float] | None:
    """Degrees, or degrees and minutes, or these and seconds: the number of digits tells."""
    more = len(digits) - degree_digits
    if more not in {0, 2, 4}:
        return None
    minutes_and_seconds = (digits[at : at + 2] for at in range(degree_digits, len(digits), 2))
    parts = [digits[:degree_digits], *minutes_and_seconds]
    parts[-1] += rest or ""
    return tuple(float(part) for part in parts)
