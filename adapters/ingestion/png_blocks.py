"""EXIF and XMP of a PNG, wherever they stand in it.

Pillow finds what stands behind the pixels by decoding these first: the whole picture, whatever its
size, only to read a date.
"""

import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final

SIGNATURE_BYTES: Final = 8
HEADER_BYTES: Final = 8
CHECKSUM_BYTES: Final = 4
LARGEST_BLOCK: Final = 1024 * 1024
MOST_CHUNKS: Final = 100_000
XMP: Final = b"XML:com.adobe.xmp\x00"

Blocks = dict[str | tuple[int, int], object]


def png_blocks(stream: BinaryIO) -> Blocks:
    """The blocks under the names that Pillow gives them."""
    found: Blocks = {}
    for kind, body in _text_chunks(stream):
        if kind == b"eXIf":
            found["exif"] = b"Exif\x00\x00" + body
        elif body.startswith(XMP):
            found["xmp"] = _international_text(body[len(XMP) :])
    return found


def _text_chunks(stream: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    at = SIGNATURE_BYTES
    for _ in range(MOST_CHUNKS):
        stream.seek(at)
        header = stream.read(HEADER_BYTES)
        length, kind = int.from_bytes(header[:4]), header[4:]
        if len(header) < HEADER_BYTES or kind == b"IEND":
            return
        if kind in {b"eXIf", b"iTXt"} and length <= LARGEST_BLOCK:
            yield kind, stream.read(length)
        at += HEADER_BYTES + length + CHECKSUM_BYTES


def _international_text(rest: bytes) -> bytes:
    """Behind the keyword: how it is compressed, a language, the keyword in it, the text."""
    is_compressed = rest[:1] == b"\x01"
    text = rest[2:].split(b"\x00", 2)[-1]
    if not is_compressed:
        return text
    try:
        return zlib.decompressobj().decompress(text, LARGEST_BLOCK)
    except zlib.error:
        return b""
