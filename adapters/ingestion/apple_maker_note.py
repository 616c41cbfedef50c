"""The one field of Apple's maker note that is read: the identifier of a Live Photo."""

import struct
from typing import Final

SIGNATURE: Final = b"Apple iOS\x00"
BYTE_ORDER_AT: Final = 12
ENTRIES_AT: Final = 14
ENTRY_BYTES: Final = 12
CONTENT_IDENTIFIER: Final = 0x11
ASCII: Final = 2
ENCODING: Final = "ascii"
LONGEST: Final = 100


def content_identifier(note: object) -> str | None:
    """The identifier as it stands there, from the bytes of EXIF's MakerNote."""
    if not isinstance(note, bytes) or not note.startswith(SIGNATURE):
        return None
    order = "<" if note[BYTE_ORDER_AT : BYTE_ORDER_AT + 2] == b"II" else ">"
    try:
        return _text_of(note, order)
    except struct.error:
        return None


def _text_of(note: bytes, order: str) -> str | None:
    (entries,) = struct.unpack_from(f"{order}H", note, ENTRIES_AT)
    for number in range(entries):
        at = ENTRIES_AT + 2 + number * ENTRY_BYTES
        tag, kind, length, offset = struct.unpack_from(f"{order}HHII", note, at)
        if (tag, kind) == (CONTENT_IDENTIFIER, ASCII) and length <= LONGEST:
            # Offsets count from the note's beginning.
            return note[offset : offset + length].decode(ENCODING, "replace") or None
    return None
