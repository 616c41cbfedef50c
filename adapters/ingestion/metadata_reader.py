"""EXIF and XMP by Pillow. Nothing that a camera wrote can make it raise."""

import struct
import warnings
from collections.abc import Mapping
from typing import BinaryIO

from PIL import ExifTags, Image
from typing_extensions import override

from adapters.ingestion.exif_values import ascii_text, numbers, raw_text, whole_number
from adapters.ingestion.xmp_dates import xmp_dates
from application.ports.metadata_reader import MetadataReader
from domain.library.capture_date import RawDate, RawDates
from domain.library.location import RawLocation
from domain.library.media_type import MediaFormat
from domain.library.raw_metadata import RawMetadata

FORMATS = {
    MediaFormat.JPEG: ("JPEG", "MPO"),
    MediaFormat.PNG: ("PNG",),
    MediaFormat.WEBP: ("WEBP",),
    MediaFormat.GIF: ("GIF",),
}
# What Pillow raises for blocks that are not what they say.
BROKEN = (
    OSError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    SyntaxError,
    EOFError,
    struct.error,
    OverflowError,
    ZeroDivisionError,
    Image.DecompressionBombError,
)
Tags = Mapping[int, object]
NOTHING: Tags = {}


class PillowMetadataReader(MetadataReader):
    """Reads the header only; the pixels are another adapter's."""

    @override
    def read(self, stream: BinaryIO, media_format: MediaFormat) -> RawMetadata:
        stream.seek(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                with Image.open(stream, formats=FORMATS[media_format]) as image:
                    return _metadata(image)
            except BROKEN:
                return RawMetadata()


def _metadata(image: Image.Image) -> RawMetadata:
    try:
        exif = image.getexif()
    except BROKEN:
        exif = Image.Exif()
    base: Tags = exif
    details = _block(exif, ExifTags.IFD.Exif)
    return RawMetadata(
        dates=_dates(details, xmp_dates(image.info)),
        location=_location(_block(exif, ExifTags.IFD.GPSInfo)),
        orientation=whole_number(_value(base, ExifTags.Base.Orientation)),
        make=raw_text(_value(base, ExifTags.Base.Make)),
        model=raw_text(_value(base, ExifTags.Base.Model)),
        lens=raw_text(_value(details, ExifTags.Base.LensModel)),
    )


def _block(exif: Image.Exif, which: int) -> Tags:
    try:
        return exif.get_ifd(which)
    except BROKEN:
        return NOTHING


def _value(tags: Tags, tag: int) -> object:
    try:
        return tags.get(tag)
    except BROKEN:
        return None


def _dates(tags: Tags, xmp: tuple[str, ...]) -> RawDates:
    def date(text: int, fraction: int, offset: int) -> RawDate:
        return RawDate(
            text=ascii_text(_value(tags, text)),
            fraction=ascii_text(_value(tags, fraction)),
            offset=ascii_text(_value(tags, offset)),
        )

    base = ExifTags.Base
    return RawDates(
        original=date(base.DateTimeOriginal, base.SubsecTimeOriginal, base.OffsetTimeOriginal),
        created=date(base.DateTimeDigitized, base.SubsecTimeDigitized, base.OffsetTimeDigitized),
        xmp=xmp,
    )


def _location(tags: Tags) -> RawLocation:
    gps = ExifTags.GPS
    return RawLocation(
        latitude=numbers(_value(tags, gps.GPSLatitude)),
        latitude_ref=ascii_text(_value(tags, gps.GPSLatitudeRef)) or "",
        longitude=numbers(_value(tags, gps.GPSLongitude)),
        longitude_ref=ascii_text(_value(tags, gps.GPSLongitudeRef)) or "",
    )
