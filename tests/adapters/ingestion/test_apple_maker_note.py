"""Apple's maker note, byte by byte: a signature, a version, an order of bytes, a directory.

The layout is the one that exiftool documents; offsets count from the note's beginning.
"""

import pytest

from adapters.ingestion.apple_maker_note import content_identifier

HEAD = b"Apple iOS\x00\x00\x01"
BIG, LITTLE = HEAD + b"MM", HEAD + b"II"
OTHER_FIELD = b"\x00\x01\x00\x09\x00\x00\x00\x01\x00\x00\x00\x0e"
"""Tag 1, a signed number, one of them, 14."""


def field(length: int, offset: int, tag: int = 0x11, kind: int = 2) -> bytes:
    return (
        tag.to_bytes(2, "big")
        + kind.to_bytes(2, "big")
        + length.to_bytes(4, "big")
        + offset.to_bytes(4, "big")
    )


def test_the_identifier_is_found_behind_other_fields() -> None:
    note = BIG + b"\x00\x02" + OTHER_FIELD + field(4, 40) + b"ABC\x00"
    assert content_identifier(note) == "ABC\x00"


def test_the_other_order_of_bytes_is_understood() -> None:
    entry = b"\x11\x00\x02\x00\x03\x00\x00\x00\x1c\x00\x00\x00"
    assert content_identifier(LITTLE + b"\x01\x00" + entry + b"ABC") == "ABC"


def test_the_first_of_two_identifiers_counts() -> None:
    note = BIG + b"\x00\x02" + field(1, 40) + field(1, 41) + b"AB"
    assert content_identifier(note) == "A"


def test_only_as_many_fields_are_read_as_there_are() -> None:
    assert content_identifier(BIG + b"\x00\x00" + field(1, 28) + b"A") is None
    assert content_identifier(BIG + b"\x00\x01" + OTHER_FIELD + field(1, 40) + b"A") is None


def test_a_text_of_up_to_a_hundred_bytes_is_taken() -> None:
    for length, expected in ((100, "x" * 100), (101, None)):
        note = BIG + b"\x00\x01" + field(length, 28) + b"x" * length
        assert content_identifier(note) == expected


def test_bytes_that_are_no_ascii_are_marked() -> None:
    assert content_identifier(BIG + b"\x00\x01" + field(3, 28) + b"A\xc3\xa9") == "A\ufffd\ufffd"


@pytest.mark.parametrize(
    "note",
    [
        None,
        "Apple iOS\x00",
        b"",
        BIG,
        BIG + b"\x00\x01" + field(1, 28)[:-1],
        BIG + b"\x00\x01" + field(0, 28) + b"A",
        BIG + b"\x00\x01" + field(1, 29) + b"A",
        BIG + b"\x00\x01" + field(1, 28, tag=0x12) + b"A",
        BIG + b"\x00\x01" + field(1, 28, kind=7) + b"A",
        b"Apple IOS" + BIG[9:] + b"\x00\x01" + field(1, 28) + b"A",
    ],
)
def test_anything_else_has_none(note: object) -> None:
    assert content_identifier(note) is None
