"""Capture dates in XMP, found without parsing XML that anybody may have written."""

import re
from collections.abc import Mapping

# As an attribute or as an element, in the order of their worth. XMP's own prefix was `xap` once.
NAMES = (b"exif:DateTimeOriginal", b"photoshop:DateCreated", rb"(?:xmp|xap):CreateDate")
LONGEST_BLOCK = 1024 * 1024
ENCODING = "ascii"
BLOCKS = ("xmp", "XML:com.adobe.xmp")


def xmp_dates(info: Mapping[str | tuple[int, int], object]) -> tuple[str, ...]:
    """The dates of a picture's XMP block, best first; Pillow keeps the block in `info`."""
    for name in BLOCKS:
        block = info.get(name)
        if isinstance(block, str):
            block = block.encode(errors="replace")
        if isinstance(block, bytes):
            return _dates(block[:LONGEST_BLOCK])
    return ()


def _dates(block: bytes) -> tuple[str, ...]:
    found = (_date(block, name) for name in NAMES)
    return tuple(date for date in found if date is not None)


def _date(block: bytes, name: bytes) -> str | None:
    pattern = name + rb"""\s*(?:=\s*["']|>)\s*([^"'<]{4,40})"""
    match = re.search(pattern, block)
    return match.group(1).decode(ENCODING, "replace").strip() if match else None
