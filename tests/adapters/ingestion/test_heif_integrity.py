"""Whether the coded pixels of a HEIC or AVIF are all there."""

import pytest

from adapters.ingestion.heif_integrity import refuse_incomplete
from tests.adapters.ingestion.refusals import CUT_OFF, GAPS, refusal

UNIT = b"\x00\x00\x00\x05\x26\x01\x00\x00\x03"
"""Four bytes of a length, and what a coder writes: two zeros in a row, never three."""


def verdict(encoded: bytes) -> str | None:
    return refusal(refuse_incomplete, encoded)


def box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return (len(body) + 8).to_bytes(4, "big") + kind + body


def picture(
    *coded: bytes, kinds: tuple[bytes, ...] = (b"hvc1",), cut: int = 0, table: bytes = b""
) -> bytes:
    """One item a kind; `cut` bytes of the last are missing."""
    entries = [
        box(b"infe", b"\x02\x00\x00\x00", bytes([0, number]), bytes(2), kind, b"\x00")
        for number, kind in enumerate(kinds, 1)
    ]
    listed = box(b"iinf", bytes(4), bytes([0, len(kinds)]), *entries)

    def meta(at: int) -> bytes:
        places = b""
        for number, part in enumerate(coded, 1):
            places += bytes([0, number, 0, 0, 0, 1])
            places += at.to_bytes(4, "big") + len(part).to_bytes(4, "big")
            at += len(part)
        located = table or box(b"iloc", bytes(4), b"\x44\x00", bytes([0, len(coded)]), places)
        return box(b"meta", bytes(4), located, listed)

    start = box(b"ftyp", b"heic")
    at = len(start) + len(meta(0)) + 8
    whole = start + meta(at) + box(b"mdat", *coded)
    return whole[: len(whole) - cut]


@pytest.mark.parametrize("kind", [b"hvc1", b"hev1"])
def test_hevc_has_no_three_zeros_in_a_unit(kind: bytes) -> None:
    assert verdict(picture(UNIT + UNIT, kinds=(kind,))) is None
    for gap in (b"\x00\x00\x00\x05\x26\x00\x00\x00\x03", b"\x00\x00\x00\x03\x00\x00\x00"):
        assert verdict(picture(UNIT + gap, kinds=(kind,))) == GAPS


def test_a_unit_of_no_length_is_a_gap() -> None:
    assert verdict(picture(UNIT + b"\x00\x00\x00\x00")) == GAPS


def test_a_length_may_hold_zeros() -> None:
    assert verdict(picture(b"\x00\x00\x01\x00" + b"\x01" * 256)) is None
    assert verdict(picture(b"\x00\x00\x00\x02\x01\x00" + UNIT)) is None


def test_a_unit_that_ends_behind_its_item_is_cut_off() -> None:
    for broken in (UNIT[:-1], UNIT + b"\x00\x00\x00"):
        assert verdict(picture(broken)) == CUT_OFF


def test_av1_has_no_run_of_256_zeros() -> None:
    assert verdict(picture(b"\x01" + bytes(255) + b"\x01", kinds=(b"av01",))) is None
    assert verdict(picture(b"\x01" + bytes(256) + b"\x01", kinds=(b"av01",))) == GAPS


@pytest.mark.parametrize("kind", [b"hvc1", b"av01"])
def test_pixels_behind_the_end_of_the_file_are_cut_off(kind: bytes) -> None:
    assert verdict(picture(UNIT, UNIT, kinds=(kind, kind))) is None
    for cut in (1, 9):
        assert verdict(picture(UNIT, UNIT, kinds=(kind, kind), cut=cut)) == CUT_OFF


@pytest.mark.parametrize("kind", [b"Exif", b"mime", b"grid"])
def test_what_is_no_pixels_may_be_zeros_or_missing(kind: bytes) -> None:
    assert verdict(picture(UNIT, bytes(500), kinds=(b"hvc1", kind))) is None
    assert verdict(picture(UNIT, bytes(500), kinds=(b"hvc1", kind), cut=100)) is None


def test_a_place_of_an_item_that_is_not_listed_is_nobody_s() -> None:
    assert verdict(picture(UNIT, bytes(500))) is None


def test_every_item_is_looked_at() -> None:
    assert verdict(picture(b"x", UNIT, bytes(8), kinds=(b"Exif", b"hvc1", b"hvc1"))) == GAPS


def test_tables_that_are_cut_off_are_cut_off() -> None:
    assert verdict(picture(UNIT, table=box(b"iloc", bytes(4), b"\x44\x00\x00"))) == CUT_OFF
    assert verdict(b"") is None
    assert verdict(box(b"ftyp", b"heic")) is None
