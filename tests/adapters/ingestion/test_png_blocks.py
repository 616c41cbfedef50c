"""EXIF and XMP among the chunks of a PNG, by its specification (ISO/IEC 15948)."""

from io import BytesIO
from zlib import compress, crc32

import pytest

from adapters.ingestion.png_blocks import png_blocks

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MEGABYTE = 1024 * 1024
KEYWORD = b"XML:com.adobe.xmp\x00"


def chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + crc32(kind + body).to_bytes(4, "big")


END = chunk(b"IEND", b"")


def blocks(*chunks: bytes) -> dict[str | tuple[int, int], object]:
    return png_blocks(BytesIO(SIGNATURE + b"".join(chunks)))


def test_exif_bears_the_name_and_the_mark_that_pillow_gives_it() -> None:
    assert blocks(chunk(b"eXIf", b"MM\x00*"), END) == {"exif": b"Exif\x00\x00MM\x00*"}


@pytest.mark.parametrize(
    "rest",
    [
        b"\x00\x00\x00\x00<x/>",
        b"\x00\x00en\x00Titel\x00<x/>",
        b"\x01\x00\x00\x00" + compress(b"<x/>"),
        b"\x01\x00en\x00Titel\x00" + compress(b"<x/>"),
    ],
)
def test_xmp_is_an_international_text(rest: bytes) -> None:
    """Flag and method of compression, a language, the keyword in it, the text."""
    assert blocks(chunk(b"iTXt", KEYWORD + rest), END) == {"xmp": b"<x/>"}


def test_a_text_keeps_the_zeros_within_it() -> None:
    found = blocks(chunk(b"iTXt", KEYWORD + b"\x00\x00\x00\x00a\x00b\x00c"), END)
    assert found == {"xmp": b"a\x00b\x00c"}


def test_what_cannot_be_unpacked_is_empty() -> None:
    assert blocks(chunk(b"iTXt", KEYWORD + b"\x01\x00\x00\x00nonsense"), END) == {"xmp": b""}


def test_a_text_that_unpacks_without_an_end_is_cut() -> None:
    packed = compress(bytes(2 * MEGABYTE))
    found = blocks(chunk(b"iTXt", KEYWORD + b"\x01\x00\x00\x00" + packed), END)
    assert found == {"xmp": bytes(MEGABYTE)}


def test_other_chunks_are_stepped_over_and_other_texts_left_out() -> None:
    found = blocks(
        chunk(b"IHDR", bytes(13)),
        chunk(b"iTXt", b"Title\x00\x00\x00\x00\x00Sea"),
        chunk(b"tEXt", KEYWORD + b"\x00\x00\x00\x00<y/>"),
        chunk(b"IDAT", b"eXIf" * 100),
        chunk(b"iTXt", KEYWORD + b"\x00\x00\x00\x00<x/>"),
        chunk(b"eXIf", b"MM"),
        END,
    )
    assert found == {"xmp": b"<x/>", "exif": b"Exif\x00\x00MM"}


def test_nothing_counts_behind_the_end() -> None:
    assert blocks(END, chunk(b"eXIf", b"MM")) == {}
    assert blocks(chunk(b"IDAT", b"x")) == {}
    assert blocks() == {}


def test_a_header_that_is_cut_off_is_none() -> None:
    """Seven bytes are no length and no kind."""
    assert blocks(b"\x00\x00\x00\x02eXI") == {}
    assert blocks(b"\x00\x00\x00\x02eXIfMM") == {"exif": b"Exif\x00\x00MM"}


def test_a_block_of_up_to_a_megabyte_is_taken() -> None:
    for size, is_taken in ((MEGABYTE, True), (MEGABYTE + 1, False)):
        found = blocks(chunk(b"eXIf", bytes(size)), END)
        assert found == ({"exif": b"Exif\x00\x00" + bytes(size)} if is_taken else {})


def test_a_hundred_thousand_chunks_are_enough() -> None:
    small = chunk(b"gIFx", b"")
    assert blocks(small * 99_999, chunk(b"eXIf", b"MM")) == {"exif": b"Exif\x00\x00MM"}
    assert blocks(small * 100_000, chunk(b"eXIf", b"MM")) == {}
