"""EXIF and XMP of pictures by Pillow, headers of videos by FFmpeg.

Nothing that a camera wrote can make it raise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from PIL import ExifTags, Image
from typing_extensions import override

from adapters.ingestion.apple_maker_note import content_identifier
from adapters.ingestion.broken_blocks import BROKEN
from adapters.ingestion.decoding_budget import DecodingBudget
from adapters.ingestion.encoded_file import bytes_of, room_for
from adapters.ingestion.exif_values import ascii_text, numbers, raw_text, whole_number
from adapters.ingestion.heif_file import opened_heif
from adapters.ingestion.png_blocks import png_blocks
from adapters.ingestion.video_metadata import video_metadata
from adapters.ingestion.xmp_dates import xmp_dates
from application.ports.media_developer import TooLarge
from application.ports.metadata_reader import MetadataReader
from domain.library.capture_date import RawDate, RawDates
from domain.library.location import RawLocation
from domain.library.media_type import MediaFormat, MediaType, type_of
from domain.library.raw_metadata import RawMetadata

FORMATS = {
    MediaFormat.JPEG: ("JPEG", "MPO"),
    MediaFormat.PNG: ("PNG",),
    MediaFormat.WEBP: ("WEBP",),
    MediaFormat.GIF: ("GIF",),
    MediaFormat.TIFF: ("TIFF",),
    MediaFormat.BMP: ("BMP",),
    MediaFormat.AVIF: ("AVIF",),
}
COPIED: Final = frozenset({MediaFormat.AVIF, MediaFormat.WEBP})
"""Of which Pillow has the file in memory twice."""
LARGEST_COPIED: Final = 256 * 1024 * 1024
Tags = Mapping[int, object]
Info = Mapping[str | tuple[int, int], object]
NOTHING: Tags = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatMetadataReader(MetadataReader):
    """Reads headers only; the pixels are another adapter's.

    Yet for some formats the libraries take the whole file into memory, so it has room there first.
    One over the limit is left alone: the developer says what is wrong with it.
    """

    budget: DecodingBudget

    @override
    def read(self, stream: BinaryIO, media_format: MediaFormat) -> RawMetadata:
        if type_of(media_format) is MediaType.VIDEO:
            return video_metadata(stream, media_format)
        try:
            with room_for(stream, self.budget) as size:
                if media_format in COPIED and size > LARGEST_COPIED:
                    return RawMetadata()
                return _of_picture(stream, media_format)
        except (*BROKEN, TooLarge):
            return RawMetadata()


def _of_picture(stream: BinaryIO, media_format: MediaFormat) -> RawMetadata:
    if media_format is MediaFormat.HEIC:
        return _of_heic(stream)
    with Image.open(stream, formats=FORMATS[media_format]) as image:
        if media_format is MediaFormat.PNG:
            image.info |= png_blocks(stream)
        return _metadata(_exif(image), image.info)


def _of_heic(stream: BinaryIO) -> RawMetadata:
    info = opened_heif(bytes_of(stream)).info
    exif = Image.Exif()
    try:
        exif.load(info.get("exif") or b"")
    except BROKEN:
        exif = Image.Exif()
    # libheif turns the picture by itself; what EXIF says of it would turn it twice.
    return replace(_metadata(exif, info), orientation=None)


def _exif(image: Image.Image) -> Image.Exif:
    try:
        # Not the PNG plugin's own, which decodes the whole picture in search of late blocks.
        return Image.Image.getexif(image)
    except BROKEN:
        return Image.Exif()


def _metadata(exif: Image.Exif, info: Info) -> RawMetadata:
    base: Tags = exif
    details = _block(exif, ExifTags.IFD.Exif)
    return RawMetadata(
        dates=_dates(details, xmp_dates(info)),
        location=_location(_block(exif, ExifTags.IFD.GPSInfo)),
        orientation=whole_number(_value(base, ExifTags.Base.Orientation)),
        make=raw_text(_value(base, ExifTags.Base.Make)),
        model=raw_text(_value(base, ExifTags.Base.Model)),
        lens=raw_text(_value(details, ExifTags.Base.LensModel)),
        content_identifier=content_identifier(_value(details, ExifTags.Base.MakerNote)),
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
