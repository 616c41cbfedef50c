"""Runs of zeros that no coder writes: blocks of a file system that were never filled."""

import pytest

from adapters.ingestion.zero_runs import (
    refuse_empty_blocks,
    refuse_gaps_in_webp,
    refuse_holes_in_jpeg,
)
from tests.adapters.ingestion.refusals import GAPS, refusal

BLOCK = 4096

# ---------------------------------------------------------------- blocks


def with_empty(size: int, *begins: int) -> bytes:
    data = bytearray(b"\x01" * size)
    for begin in begins:
        data[begin : begin + BLOCK] = bytes(BLOCK)
    return bytes(data)


@pytest.mark.parametrize(
    ("begin", "end"), [(0, 4 * BLOCK), (BLOCK, 2 * BLOCK), (BLOCK - 7, 2 * BLOCK), (1, 2 * BLOCK)]
)
def test_an_empty_block_is_a_gap(begin: int, end: int) -> None:
    assert refusal(refuse_empty_blocks, with_empty(4 * BLOCK, BLOCK), begin, end) == GAPS


def test_the_second_of_two_gaps_is_found_too() -> None:
    assert refusal(refuse_empty_blocks, with_empty(5 * BLOCK, 3 * BLOCK), 0, 5 * BLOCK) == GAPS


@pytest.mark.parametrize(
    ("begin", "end"),
    [(BLOCK + 1, 4 * BLOCK), (0, 2 * BLOCK - 1), (2 * BLOCK, 4 * BLOCK), (0, 0), (0, BLOCK)],
)
def test_a_block_counts_that_lies_within_the_pixels_as_a_whole(begin: int, end: int) -> None:
    assert refusal(refuse_empty_blocks, with_empty(4 * BLOCK, BLOCK), begin, end) is None


@pytest.mark.parametrize("begin", [BLOCK - 1, BLOCK + 1])
def test_zeros_that_do_not_fill_a_block_are_pixels(begin: int) -> None:
    assert refusal(refuse_empty_blocks, with_empty(4 * BLOCK, begin), 0, 4 * BLOCK) is None


def test_zeros_that_begin_before_a_block_are_pixels() -> None:
    """The last three bytes before a gap may be zeros by themselves; four are a plain picture."""
    for before, expected in ((3, GAPS), (4, None)):
        data = bytearray(with_empty(4 * BLOCK, BLOCK))
        data[BLOCK - before : BLOCK] = bytes(before)
        assert refusal(refuse_empty_blocks, bytes(data), 0, 4 * BLOCK) == expected


def test_a_file_that_begins_with_zeros_is_left_to_its_decoder() -> None:
    assert refusal(refuse_empty_blocks, with_empty(2 * BLOCK, 0), 0, 2 * BLOCK) is None


# ---------------------------------------------------------------- JPEG

START, SCAN, END = b"\xff\xd8", b"\xff\xda\x00\x04\x01\x02", b"\xff\xd9"


def test_an_empty_block_of_a_jpeg_s_scan_is_a_gap() -> None:
    scan = START + SCAN + b"\x01" * (BLOCK - 8)
    assert refusal(refuse_holes_in_jpeg, scan + bytes(BLOCK) + b"\x01" + END) == GAPS
    assert refusal(refuse_holes_in_jpeg, scan + b"\x01" * BLOCK + END) is None


def test_empty_blocks_outside_of_a_jpeg_s_scan_are_none_of_its_pixels() -> None:
    comment = b"\xff\xfe\x20\x00" + b"\x01" * (BLOCK - 6) + bytes(BLOCK)
    assert refusal(refuse_holes_in_jpeg, START + comment + SCAN + END) is None
    behind = b"\x01" * (BLOCK - 10) + bytes(2 * BLOCK)
    assert refusal(refuse_holes_in_jpeg, START + SCAN + END + behind) is None


# ---------------------------------------------------------------- WebP


def chunk(kind: bytes, body: bytes) -> bytes:
    return kind + len(body).to_bytes(4, "little") + body + b"\x00" * (len(body) % 2)


def webp(*chunks: bytes, behind: bytes = b"") -> bytes:
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + len(body).to_bytes(4, "little") + body + behind


FULL, RUN = b"\x01" * 2_000, b"\x01" + bytes(1024) + b"\x01"
GAPS_IN = {
    "lossy": webp(chunk(b"VP8 ", RUN)),
    "lossless": webp(chunk(b"VP8L", RUN)),
    "packed transparency": webp(chunk(b"ALPH", RUN), chunk(b"VP8 ", FULL)),
    "behind other chunks": webp(
        chunk(b"VP8X", b"x" * 10), chunk(b"ICCP", b"odd"), chunk(b"VP8L", RUN)
    ),
    "at the end of the file": webp(chunk(b"VP8L", FULL + bytes(1024))),
    "in an animation": webp(chunk(b"ANMF", b"\x01" * 16 + chunk(b"VP8 ", RUN))),
    "in its second frame": webp(
        chunk(b"ANMF", b"\x01" * 16 + chunk(b"ALPH", b"\x01x") + chunk(b"VP8 ", FULL)),
        chunk(b"ANMF", b"\x01" * 16 + chunk(b"VP8 ", RUN)),
    ),
    "where a chunk should begin": webp(chunk(b"VP8 ", FULL), bytes(2_000)),
    "in the last eight bytes": webp(chunk(b"XMP ", bytes(1024)), bytes(8)),
}


@pytest.mark.parametrize("encoded", GAPS_IN.values(), ids=GAPS_IN)
def test_a_run_of_zeros_in_a_webp_s_pixels_is_a_gap(encoded: bytes) -> None:
    assert refusal(refuse_gaps_in_webp, encoded) == GAPS


WHOLE = {
    "no zeros": webp(chunk(b"VP8 ", FULL)),
    "a run that a coder may write": webp(chunk(b"VP8 ", b"\x01" + bytes(1023) + b"\x01")),
    "zeros in metadata": webp(chunk(b"VP8 ", FULL), chunk(b"EXIF", RUN)),
    "zeros behind the end": webp(chunk(b"VP8 ", FULL), behind=bytes(5_000)),
    "plain transparency": webp(chunk(b"ALPH", b"\x04" + bytes(2_000)), chunk(b"VP8 ", FULL)),
    "an empty chunk": webp(chunk(b"EXIF", b""), chunk(b"XMP ", RUN)),
    "a chunk without transparency in it": webp(chunk(b"ALPH", b""), chunk(b"XMP ", RUN)),
    "half a chunk": webp(chunk(b"XMP ", RUN), bytes(7), behind=bytes(5_000)),
    "an animation": webp(chunk(b"ANMF", bytes(16) + chunk(b"VP8 ", FULL)), chunk(b"XMP ", RUN)),
}


@pytest.mark.parametrize("encoded", WHOLE.values(), ids=WHOLE)
def test_a_whole_webp_is_let_through(encoded: bytes) -> None:
    assert refusal(refuse_gaps_in_webp, encoded) is None
