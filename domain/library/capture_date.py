"""When a picture was taken: local time as the camera saw it, from the best source that has one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from enum import StrEnum
from typing import Final

EARLIEST_YEAR: Final = 1900
TOLERATED_FUTURE: Final = timedelta(days=1)
# What a camera or a computer without a clock says: the first day of its calendar.
FIRST_DAY: Final = date(1970, 1, 1)
# An instant this near to 1970 is a zero or an error code in some time zone.
NO_TIME_WITHIN: Final = timedelta(days=2)
# Of videos and of Apple: whatever is in that year is a zero with something added.
YEAR_OF_ZERO: Final = 1904
LARGEST_OFFSET: Final = timedelta(hours=14)
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_DATE: Final = re.compile(
    r"(\d{4})[-:/.](\d{1,2})[-:/.](\d{1,2})"
    r"(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?"
    r" ?(Z|[-+]\d{2}:?\d{2})?"
)
_OFFSET: Final = re.compile(r"([-+])(\d{2}):?(\d{2})")


class CaptureSource(StrEnum):
    ORIGINAL = "DateTimeOriginal"
    CREATED = "CreateDate"
    XMP = "XMP"
    APPLE = "creationdate"
    """Of a video, with the zone of the place where it was taken."""
    UTC = "QuickTime"
    """Of a video: the instant, in the zone of the storage config."""
    FILE = "mtime"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureDate:
    """Local time without a zone, and the zone's offset where the camera wrote one."""

    local: datetime
    offset: timedelta | None
    source: CaptureSource

    @property
    def is_estimated(self) -> bool:
        return self.source is CaptureSource.FILE


@dataclass(frozen=True, slots=True, kw_only=True)
class RawDate:
    """A date with its fraction and its offset, each as the text that was found."""

    text: str | None = None
    fraction: str | None = None
    offset: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawDates:
    """Everything in a file that may say when it was taken."""

    original: RawDate = RawDate()
    created: RawDate = RawDate()
    xmp: Sequence[str] = ()
    apple: RawDate = RawDate()
    utc: RawDate = RawDate()


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """What a date is judged by: the storage config's time zone and the present."""

    zone: tzinfo
    now: datetime


def capture_date(raw: RawDates, mtime_ns: int, calendar: Calendar) -> CaptureDate | None:
    """The first source that has a possible date; None where not even the file has one."""
    candidates = [
        (CaptureSource.ORIGINAL, raw.original),
        (CaptureSource.CREATED, raw.created),
        *((CaptureSource.XMP, RawDate(text=text)) for text in raw.xmp),
        (CaptureSource.APPLE, raw.apple),
    ]
    for source, raw_date in candidates:
        found = _read(raw_date, source)
        if found is not None and _is_possible(found, calendar):
            return found
    return _of_utc(raw.utc, calendar) or _of_file(mtime_ns, calendar)


def _read(raw: RawDate, source: CaptureSource) -> CaptureDate | None:
    match = _DATE.fullmatch(_tidy(raw.text))
    if match is None:
        return None
    *numbers, fraction, zone = match.groups()
    local = _local([int(number or 0) for number in numbers], _tidy(raw.fraction) or fraction)
    if local is None:
        return None
    return CaptureDate(local=local, offset=_offset(_tidy(raw.offset) or zone), source=source)


def _local(numbers: Sequence[int], fraction: str | None) -> datetime | None:
    year, month, day, hour, minute, second = numbers
    try:
        return datetime(  # noqa: DTZ001  # local time without a zone is what cameras write
            year, month, day, hour, minute, second, _microseconds(fraction)
        )
    except ValueError:
        return None


def _tidy(text: str | None) -> str:
    return (text or "").partition("\x00")[0].strip()


def _microseconds(fraction: str | None) -> int:
    if not fraction or not fraction.isascii() or not fraction.isdigit():
        return 0
    return int(fraction[:6].ljust(6, "0"))


def _offset(text: str | None) -> timedelta | None:
    if text == "Z":
        return timedelta()
    match = _OFFSET.fullmatch(_tidy(text))
    if match is None:
        return None
    sign, hours, minutes = match.groups()
    size = timedelta(hours=int(hours), minutes=int(minutes))
    if size > LARGEST_OFFSET:
        return None
    return -size if sign == "-" else size


def _is_possible(found: CaptureDate, calendar: Calendar) -> bool:
    local, offset = found.local, found.offset
    if local.year < EARLIEST_YEAR or local.year == YEAR_OF_ZERO or local.date() == FIRST_DAY:
        return False
    instant = local.replace(tzinfo=calendar.zone if offset is None else timezone(offset))
    if offset is not None and instant == EPOCH:
        return False
    return not _is_future(instant, calendar)


def _is_future(instant: datetime, calendar: Calendar) -> bool:
    # Compared as local times of one zone: the last days of year 9999 overflow in another.
    latest = (calendar.now + TOLERATED_FUTURE).astimezone(instant.tzinfo)
    return instant.replace(tzinfo=None) > latest.replace(tzinfo=None)


def _of_utc(raw: RawDate, calendar: Calendar) -> CaptureDate | None:
    found = _read(raw, CaptureSource.UTC)
    if found is None or found.local.year == YEAR_OF_ZERO:
        return None
    return _of_instant(found.local.replace(tzinfo=UTC), found.source, calendar)


def _of_file(mtime_ns: int, calendar: Calendar) -> CaptureDate | None:
    try:
        instant = EPOCH + timedelta(microseconds=mtime_ns // 1_000)
    except OverflowError:
        return None
    return _of_instant(instant, CaptureSource.FILE, calendar)


def _of_instant(instant: datetime, source: CaptureSource, calendar: Calendar) -> CaptureDate | None:
    try:
        local = instant.astimezone(calendar.zone)
    except OverflowError:
        return None
    if abs(instant - EPOCH) < NO_TIME_WITHIN or local.year < EARLIEST_YEAR:
        return None
    if _is_future(local, calendar):
        return None
    return CaptureDate(local=local.replace(tzinfo=None), offset=local.utcoffset(), source=source)
