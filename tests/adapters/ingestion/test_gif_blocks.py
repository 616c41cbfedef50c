"""The blocks of a GIF, by the GIF89a specification."""

import pytest

from adapters.ingestion.gif_blocks import refuse_gaps_in_gif
from tests.adapters.ingestion.refusals import refusal

SCREEN = b"GIF89a\x04\x00\x04\x00"
NO_TABLE = SCREEN + b"\x00\x00\x00"
CONTROL = b"\x21\xf9\x04\x00\x00\x00\x00\x00"
COMMENT = b"\x21\xfe\x03abc\x02de\x00"
IMAGE = b"\x2c\x00\x00\x00\x00\x04\x00\x04\x00\x00\x02\x03xyz\x01w\x00"
"""Nine bytes of a header, the codes' first width, two parts of data, and their end."""
TRAILER = b"\x3b"
DAMAGED = "the picture is damaged or cut off"


def verdict(encoded: bytes) -> str | None:
    return refusal(refuse_gaps_in_gif, encoded)


def image_with_table(flags: int, table: bytes) -> bytes:
    return IMAGE[:9] + bytes([flags]) + table + IMAGE[10:]


WHOLE = {
    "plain": NO_TABLE + IMAGE + TRAILER,
    "colours for all": SCREEN + b"\x81\x00\x00" + b"\x01" * 12 + IMAGE + TRAILER,
    "256 colours": SCREEN + b"\xf7\x00\x00" + b"\x01" * 768 + IMAGE + TRAILER,
    "flags without colours": SCREEN + b"\x77\x00\x00" + IMAGE + TRAILER,
    "colours of its own": NO_TABLE + image_with_table(0x80, b"\xff" * 6) + TRAILER,
    "eight of its own": NO_TABLE + image_with_table(0xE2, b"\xff" * 24) + TRAILER,
    "extensions": NO_TABLE + CONTROL + COMMENT + IMAGE + COMMENT + TRAILER,
    "two pictures": NO_TABLE + IMAGE + IMAGE + TRAILER,
    "no picture": NO_TABLE + COMMENT + TRAILER,
    "a broken second picture": NO_TABLE + IMAGE + IMAGE[:9],
    "a block that ends twice": NO_TABLE + IMAGE + b"\x00" + TRAILER,
    "an extension that ends twice": NO_TABLE + COMMENT + b"\x00" + IMAGE + TRAILER,
    "fifteen zeros": NO_TABLE + IMAGE + bytes(15) + TRAILER,
    "bytes behind the end": NO_TABLE + IMAGE + TRAILER + bytes(500),
}


@pytest.mark.parametrize("encoded", WHOLE.values(), ids=WHOLE)
def test_a_whole_gif_is_let_through(encoded: bytes) -> None:
    assert verdict(encoded) is None


BROKEN = {
    "nothing": b"",
    "half a screen": SCREEN,
    "no blocks": NO_TABLE,
    "half a table": SCREEN + b"\x81\x00\x00" + b"\x01" * 11,
    "a table and no block": SCREEN + b"\x81\x00\x00" + b"\x01" * 12,
    "half an extension": NO_TABLE + COMMENT[:5],
    "half a header": NO_TABLE + IMAGE[:9],
    "half the data": NO_TABLE + IMAGE[:-4],
    "no end of the data": NO_TABLE + IMAGE[:-1],
    "no trailer": NO_TABLE + IMAGE,
    "zeros for a trailer": NO_TABLE + IMAGE + bytes(500),
    "sixteen zeros": NO_TABLE + IMAGE + bytes(16) + TRAILER,
    "zeros to the file's end": NO_TABLE + IMAGE + bytes(15),
    "zeros for a picture": NO_TABLE + bytes(17) + IMAGE + TRAILER,
    "an odd block before": NO_TABLE + b"\x01" + IMAGE + TRAILER,
    "an odd block behind": NO_TABLE + IMAGE + b"\x01" + TRAILER,
    "an odd block behind a zero": NO_TABLE + IMAGE + b"\x00\x01" + TRAILER,
}


@pytest.mark.parametrize("encoded", BROKEN.values(), ids=BROKEN)
def test_a_gif_that_breaks_off_is_damaged(encoded: bytes) -> None:
    assert verdict(encoded) == DAMAGED


def test_parts_are_as_long_as_they_say() -> None:
    """What looks like the end, or like a block, within one is neither."""
    data = b"\x04\x00\x3b\x2c\x21\xff" + b"\x00" * 255 + b"\x00"
    assert verdict(NO_TABLE + IMAGE[:11] + data + TRAILER) is None
    assert verdict(NO_TABLE + IMAGE[:11] + data[:-1] + b"\x3b\x3b") == DAMAGED
