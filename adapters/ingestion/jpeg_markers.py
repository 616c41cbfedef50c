"""Where the coded pixels of a JPEG begin and end."""

from typing import Final

START_OF_IMAGE: Final = 2
START_OF_SCAN: Final = 0xDA
MARKER: Final = 0xFF
END_OF_IMAGE: Final = b"\xff\xd9"


def scan_of(encoded: bytes) -> tuple[int, int]:
    """From the first scan to the end of the image; (0, 0) where it has none.

    A preview in its metadata has an end of its own, before the first scan.
    """
    at = START_OF_IMAGE
    while at + 4 <= len(encoded) and encoded[at] == MARKER:
        if encoded[at + 1] == START_OF_SCAN:
            return at, _end_of(encoded, at)
        if encoded[at + 1] == MARKER:
            at += 1  # padding
        else:
            at += 2 + int.from_bytes(encoded[at + 2 : at + 4])
    return 0, 0


def _end_of(encoded: bytes, at: int) -> int:
    """An image that was cut off ends with its file."""
    try:
        return encoded.index(END_OF_IMAGE, at)
    except ValueError:
        return len(encoded)
