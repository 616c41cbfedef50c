"""Whether all that a TIFF names is in it. Tags are those of TIFF 6.0."""

import pytest

from adapters.ingestion.tiff_integrity import refuse_incomplete_tiff
from tests.adapters.ingestion.refusals import CUT_OFF, GAPS, refusal

BLOCK = 4096
COMPRESSION, COLOURS = 259, 262
STRIP_OFFSETS, STRIP_LENGTHS = 273, 279
TILE_OFFSETS, TILE_LENGTHS = 324, 325
Fields = dict[int, list[int]]


def tiff(fields: Fields, size: int, *, holes: int | None = None) -> bytes:
    """Little-endian, all values of four bytes, filled up to `size`; with one empty block."""
    table = 10 + 12 * len(fields) + 4
    entries, values = b"", b""
    for tag, numbers in fields.items():
        place = table + len(values)
        if len(numbers) > 1:
            values += b"".join(each.to_bytes(4, "little") for each in numbers)
        value = place if len(numbers) > 1 else (numbers or [0])[0]
        entries += tag.to_bytes(2, "little") + b"\x04\x00" + len(numbers).to_bytes(4, "little")
        entries += value.to_bytes(4, "little")
    head = b"II\x2a\x00\x08\x00\x00\x00" + len(fields).to_bytes(2, "little") + entries + bytes(4)
    whole = bytearray((head + values).ljust(size, b"\x01"))
    if holes is not None:
        whole[holes : holes + BLOCK] = bytes(BLOCK)
    return bytes(whole)


def verdict(encoded: bytes) -> str | None:
    return refusal(refuse_incomplete_tiff, encoded)


PLACES = [(STRIP_OFFSETS, STRIP_LENGTHS), (TILE_OFFSETS, TILE_LENGTHS)]


@pytest.mark.parametrize(("offsets", "lengths"), PLACES, ids=["strips", "tiles"])
def test_every_strip_and_tile_lies_in_the_file(offsets: int, lengths: int) -> None:
    fields = {offsets: [200, 300], lengths: [100, 50]}
    assert verdict(tiff(fields, 350)) is None
    assert verdict(tiff(fields, 349)) == CUT_OFF
    # The last in the file need not be the last in the list.
    fields = {offsets: [300, 200], lengths: [50, 100]}
    assert verdict(tiff(fields, 350)) is None
    assert verdict(tiff(fields, 349)) == CUT_OFF


@pytest.mark.parametrize("offsets", [STRIP_OFFSETS, TILE_OFFSETS])
def test_without_lengths_each_has_a_byte_at_least(offsets: int) -> None:
    assert verdict(tiff({offsets: [200, 300]}, 301)) is None
    assert verdict(tiff({offsets: [200, 300]}, 300)) == CUT_OFF


@pytest.mark.parametrize(("offsets", "lengths"), PLACES, ids=["strips", "tiles"])
def test_a_strip_at_the_very_beginning_was_never_written(offsets: int, lengths: int) -> None:
    assert verdict(tiff({offsets: [200, 0], lengths: [10, 10]}, 400)) == GAPS
    assert verdict(tiff({offsets: [], lengths: []}, 400)) == GAPS
    assert verdict(tiff({offsets: [1], lengths: [10]}, 400)) is None


def test_where_lengths_are_missing_the_places_must_be_there() -> None:
    fields = {STRIP_OFFSETS: [200, 350], STRIP_LENGTHS: [100]}
    assert verdict(tiff(fields, 351)) is None
    assert verdict(tiff(fields, 350)) == CUT_OFF
    assert verdict(tiff({STRIP_OFFSETS: [200], STRIP_LENGTHS: []}, 201)) is None
    assert verdict(tiff({STRIP_OFFSETS: [200], STRIP_LENGTHS: [5, 9_000]}, 205)) is None


@pytest.mark.parametrize("colours", [8, 9, 10])
def test_lab_is_not_read(colours: int) -> None:
    expected = "the picture's colours are coded as L*a*b*, which is not read"
    assert verdict(tiff({COLOURS: [colours]}, 100)) == expected


@pytest.mark.parametrize("colours", [0, 1, 2, 3, 5, 6, 7, 11])
def test_other_colours_are(colours: int) -> None:
    assert verdict(tiff({COLOURS: [colours]}, 100)) is None


def pixels(compression: int | None, holes: int = BLOCK, size: int = 4 * BLOCK) -> bytes:
    fields = {} if compression is None else {COMPRESSION: [compression]}
    fields |= {STRIP_OFFSETS: [200], STRIP_LENGTHS: [3 * BLOCK - 200]}
    return tiff(fields, size, holes=holes)


@pytest.mark.parametrize("compression", [2, 5, 7, 8, 32_773])
def test_an_empty_block_of_coded_pixels_is_a_gap(compression: int) -> None:
    assert verdict(pixels(compression)) == GAPS
    assert verdict(pixels(compression, holes=2 * BLOCK)) == GAPS


@pytest.mark.parametrize("compression", [2, 5, 7, 8, 32_773])
def test_before_the_first_strip_and_behind_the_last_nothing_is_coded(compression: int) -> None:
    assert verdict(pixels(compression, holes=3 * BLOCK)) is None
    fields = {COMPRESSION: [compression], STRIP_OFFSETS: [2 * BLOCK], STRIP_LENGTHS: [2 * BLOCK]}
    assert verdict(tiff(fields, 4 * BLOCK, holes=BLOCK)) is None
    assert verdict(tiff(fields, 4 * BLOCK, holes=2 * BLOCK)) == GAPS


@pytest.mark.parametrize("compression", [None, 1])
def test_zeros_are_pixels_where_nothing_is_coded(compression: int | None) -> None:
    assert verdict(pixels(compression)) is None


def test_tiles_are_looked_through_as_strips_are() -> None:
    fields = {COMPRESSION: [5], TILE_OFFSETS: [200], TILE_LENGTHS: [3 * BLOCK]}
    assert verdict(tiff(fields, 4 * BLOCK, holes=BLOCK)) == GAPS


def test_a_directory_that_is_none_is_cut_off() -> None:
    assert verdict(b"") == CUT_OFF
    assert verdict(tiff({STRIP_OFFSETS: [30]}, 0)[:-1]) == CUT_OFF
    text_for_offsets = tiff({STRIP_OFFSETS: [30]}, 100).replace(b"\x11\x01\x04", b"\x11\x01\x02")
    assert verdict(text_for_offsets) == CUT_OFF


def test_a_picture_that_names_no_places_is_left_to_its_decoder() -> None:
    assert verdict(tiff({256: [4]}, 100)) is None
    assert verdict(tiff({STRIP_LENGTHS: [9_999]}, 100)) is None
