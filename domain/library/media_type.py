"""What sorts of media there are: the extension selects a file, its first bytes decide."""

from enum import StrEnum
from typing import Final


class MediaType(StrEnum):
    """What an asset is to its owner."""

    IMAGE = "Image"


class MediaFormat(StrEnum):
    """How a file is encoded, told from its content."""

    JPEG = "jpeg"
    PNG = "png"
    WEBP = "webp"
    GIF = "gif"


EXTENSIONS: Final = {
    b"jpg": MediaType.IMAGE,
    b"jpeg": MediaType.IMAGE,
    b"png": MediaType.IMAGE,
    b"webp": MediaType.IMAGE,
    b"gif": MediaType.IMAGE,
}

HEAD_BYTES: Final = 16
"""How much of a file `format_of` wants to see."""

# Formats that are media all the same, so that a file of one is not called damaged.
_KNOWN_BUT_UNSUPPORTED: Final = (
    (0, b"BM"),
    (0, b"II*\x00"),
    (0, b"II+\x00"),
    (0, b"MM\x00*"),
    (0, b"MM\x00+"),
    (0, b"\x1aE\xdf\xa3"),
    (0, b"0&\xb2u"),
    (4, b"ftyp"),
    (8, b"AVI "),
)


def type_by_name(path: bytes) -> MediaType | None:
    """What the extension promises; None where this release ingests no such file."""
    name = path.rpartition(b"/")[2]
    stem, dot, extension = name.rpartition(b".")
    if not (stem and dot):
        return None
    return EXTENSIONS.get(extension.lower())


def format_of(head: bytes) -> MediaFormat | None:
    """The format that the first bytes show; None where it is none of ours."""
    if head.startswith(b"\xff\xd8\xff"):
        return MediaFormat.JPEG
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return MediaFormat.PNG
    if head.startswith((b"GIF87a", b"GIF89a")):
        return MediaFormat.GIF
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return MediaFormat.WEBP
    return None


def is_other_media(head: bytes) -> bool:
    """Whether the first bytes are those of a picture or video that is not ingested (yet)."""
    return any(head[at : at + len(mark)] == mark for at, mark in _KNOWN_BUT_UNSUPPORTED)
