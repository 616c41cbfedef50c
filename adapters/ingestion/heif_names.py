"""The names of a HEIC's items, of which we need none and some end a process."""

from collections.abc import Iterator
from typing import Final

from adapters.ingestion.heif_boxes import FULL_BOX, boxes, item_entries

NAMES_AT: Final = {0: 8, 1: 8, 2: 8, 3: 10}
"""Where the kind of an item and its names begin, by the version of its box."""
LAST_ASCII: Final = 0x7F


def with_ascii_names(encoded: bytes) -> bytes:
    """The same file; or a copy whose names have `?` for bytes that are no ASCII."""
    if not any(_is_odd(names) for names in _names(memoryview(encoded))):
        return encoded
    copy = bytearray(encoded)
    for names in _names(memoryview(copy)):
        for at, byte in enumerate(names):
            if byte > LAST_ASCII:
                names[at] = ord("?")
    return bytes(copy)


def _is_odd(names: memoryview) -> bool:
    return not bytes(names).isascii()


def _names(data: memoryview) -> Iterator[memoryview]:
    """The part of each item's box that holds texts."""
    for kind, meta in boxes(data):
        if kind != b"meta":
            continue
        for inner, table in boxes(meta[FULL_BOX:]):
            if inner == b"iinf":
                for item in item_entries(table):
                    yield item[NAMES_AT.get(item[0], FULL_BOX) :]
