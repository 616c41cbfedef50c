"""The names of a HEIC's items, as libheif's wrapper takes them without dying."""

import pytest

from adapters.ingestion.heif_names import with_ascii_names
from tests.crawl.heic import heic


def box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return (len(body) + 8).to_bytes(4, "big") + kind + body


def file_with(version: int, body: bytes, *others: bytes) -> bytes:
    entry = box(b"infe", bytes([version, 0, 0, 0]), body)
    listed = box(b"iinf", bytes(4), bytes([0, 1 + len(others)]), entry, *others)
    return box(b"ftyp", b"heic\xff") + box(b"meta", bytes(4), box(b"hdlr", b"\xff"), listed)


ODD, PLAIN = b"\x80\xffab\x7f\x00", b"??ab\x7f\x00"


@pytest.mark.parametrize(
    ("version", "numbers"),
    [
        (0, b"\xff\xfe\xfd\xfc"),  # the item's number and its protection's
        (1, b"\xff\xfe\xfd\xfc"),
        (2, b"\xff\xfe\xfd\xfc"),
        (3, b"\xff\xfe\xfd\xfc\xfb\xfa"),  # of which the number is wider here
        (4, b""),
        (0x84, b""),
    ],
)
def test_odd_bytes_of_names_become_question_marks(version: int, numbers: bytes) -> None:
    found = with_ascii_names(file_with(version, numbers + ODD))
    assert found == file_with(version, numbers + PLAIN)


def test_every_item_s_names_are_looked_at() -> None:
    plain = box(b"infe", b"\x02\x00\x00\x00", bytes(4), b"hvc1\x00")
    odd = box(b"infe", b"\x02\x00\x00\x00", bytes(4), b"Exi\xe6\x00")
    clean = box(b"infe", b"\x02\x00\x00\x00", bytes(4), b"Exi?\x00")
    assert with_ascii_names(file_with(2, bytes(4), plain, odd)) == file_with(
        2, bytes(4), plain, clean
    )


def test_a_file_without_odd_names_is_not_copied() -> None:
    for plain in (file_with(2, b"\xff\xff\xff\xffhvc1\x7f\x00"), heic(), b"", b"\xff" * 20):
        assert with_ascii_names(plain) is plain


def test_a_second_table_of_names_is_cleaned_too() -> None:
    whole = file_with(2, bytes(4) + b"hvc1\x00") + file_with(2, bytes(4) + ODD)
    assert with_ascii_names(whole) == file_with(2, bytes(4) + b"hvc1\x00") + file_with(
        2, bytes(4) + PLAIN
    )
