"""What sorts of media there are: the extension selects a file, its first bytes decide."""

from enum import StrEnum
from typing import Final


class MediaType(StrEnum):
    """What an asset is to its owner; a file is a picture or a video."""

    IMAGE = "Image"
    LIVE_PHOTO = "LivePhoto"
    """A picture that has a video for its moving half."""
    VIDEO = "Video"


class MediaFormat(StrEnum):
    """How a file is encoded, told from its content."""

    JPEG = "jpeg"
    PNG = "png"
    WEBP = "webp"
    GIF = "gif"
    TIFF = "tiff"
    BMP = "bmp"
    HEIC = "heic"
    AVIF = "avif"
    MP4 = "mp4"
    QUICKTIME = "quicktime"
    AVI = "avi"
    MATROSKA = "matroska"
    ASF = "asf"


_IMAGES: Final = "jpg jpeg png heic heif avif gif webp tif tiff bmp"
_VIDEOS: Final = "mov mp4 m4v avi mkv wmv webm"

EXTENSIONS: Final = {
    extension.encode(): media_type
    for extensions, media_type in ((_IMAGES, MediaType.IMAGE), (_VIDEOS, MediaType.VIDEO))
    for extension in extensions.split()
}

HEAD_BYTES: Final = 256
"""How much of a file `format_of` wants to see."""

_MARKS: Final = (
    (0, b"\xff\xd8\xff", MediaFormat.JPEG),
    (0, b"\x89PNG\r\n\x1a\n", MediaFormat.PNG),
    (0, b"GIF87a", MediaFormat.GIF),
    (0, b"GIF89a", MediaFormat.GIF),
    (0, b"II*\x00", MediaFormat.TIFF),
    (0, b"MM\x00*", MediaFormat.TIFF),
    (0, b"II+\x00", MediaFormat.TIFF),
    (0, b"MM\x00+", MediaFormat.TIFF),
    (0, b"\x1aE\xdf\xa3", MediaFormat.MATROSKA),
    (0, b"0&\xb2u\x8ef\xcf\x11", MediaFormat.ASF),
    # QuickTime files of before there was a file type box begin with any of these.
    (4, b"moov", MediaFormat.QUICKTIME),
    (4, b"mdat", MediaFormat.QUICKTIME),
    (4, b"wide", MediaFormat.QUICKTIME),
    (4, b"free", MediaFormat.QUICKTIME),
    (4, b"skip", MediaFormat.QUICKTIME),
    (4, b"pnot", MediaFormat.QUICKTIME),
)
_RIFF: Final = {
    b"WEBP": MediaFormat.WEBP,
    b"AVI ": MediaFormat.AVI,
    b"AVIX": MediaFormat.AVI,
}
_BRANDS: Final = {
    **dict.fromkeys(
        (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"), MediaFormat.HEIC
    ),
    **dict.fromkeys((b"avif", b"avis"), MediaFormat.AVIF),
    b"qt  ": MediaFormat.QUICKTIME,
}
# These say only that there are pictures inside; which, the compatible brands tell.
_OF_PICTURES: Final = frozenset({b"mif1", b"mif2", b"miaf", b"msf1"})
_UNSUPPORTED_BRANDS: Final = frozenset({b"crx ", b"jp2 ", b"jpx ", b"jxl "})

# Media all the same, so that a file of one is not called damaged.
_KNOWN_BUT_UNSUPPORTED: Final = (
    (0, b"\xff\x0a"),
    (0, b"8BPS"),
    (0, b"FLV\x01"),
    (0, b"OggS"),
    (0, b"\x00\x00\x01\xba"),
    (4, b"jP  \r\n\x87\n"),
    (4, b"JXL \r\n\x87\n"),
)


def type_by_name(path: bytes) -> MediaType | None:
    """What the extension promises; None where this release ingests no such file."""
    name = path.rpartition(b"/")[2]
    stem, dot, extension = name.rpartition(b".")
    if not (stem and dot):
        return None
    return EXTENSIONS.get(extension.lower())


def type_of(media_format: MediaFormat) -> MediaType:
    """What a file of this format is, by itself."""
    match media_format:
        case (
            MediaFormat.MP4
            | MediaFormat.QUICKTIME
            | MediaFormat.AVI
            | MediaFormat.MATROSKA
            | MediaFormat.ASF
        ):
            return MediaType.VIDEO
        case _:
            return MediaType.IMAGE


def format_of(head: bytes) -> MediaFormat | None:
    """The format that the first bytes show; None where it is none of ours."""
    for at, mark, media_format in _MARKS:
        if head[at : at + len(mark)] == mark:
            return media_format
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12])
    if head[4:8] == b"ftyp":
        return _of_brands(head)
    return MediaFormat.BMP if _is_bitmap(head) else None


def is_other_media(head: bytes) -> bool:
    """Whether the first bytes are those of a picture or video that is not ingested."""
    if head[4:8] == b"ftyp":
        return head[8:12] in _UNSUPPORTED_BRANDS
    return any(head[at : at + len(mark)] == mark for at, mark in _KNOWN_BUT_UNSUPPORTED)


def _of_brands(head: bytes) -> MediaFormat | None:
    major = head[8:12]
    if major in _UNSUPPORTED_BRANDS:
        return None
    if major in _OF_PICTURES:
        known = [_BRANDS[each] for each in _compatible_brands(head) if each in _BRANDS]
        return MediaFormat.AVIF if MediaFormat.AVIF in known else MediaFormat.HEIC
    return _BRANDS.get(major, MediaFormat.MP4)


def _compatible_brands(head: bytes) -> list[bytes]:
    end = min(int.from_bytes(head[:4]), len(head))
    return [head[at : at + 4] for at in range(16, end, 4)]


def _is_bitmap(head: bytes) -> bool:
    # Two letters begin any text; the size of the second header tells a bitmap from it.
    return head[:2] == b"BM" and int.from_bytes(head[14:18], "little") in {
        12,
        40,
        52,
        56,
        64,
        108,
        124,
    }
