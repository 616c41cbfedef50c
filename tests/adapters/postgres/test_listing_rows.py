"""Listed files in the binary format of COPY, as PostgreSQL's manual describes it."""

from adapters.postgres.listing_rows import copy_rows
from domain.library.signature import ListedFile
from domain.library.verdict import SkipReason

HEADER = b"PGCOPY\n\xff\r\n\x00" + b"\x00\x00\x00\x00" + b"\x00\x00\x00\x00"
"""The signature, no flags, and no extension of the header."""
TRAILER = b"\xff\xff"


def test_no_files_are_a_header_and_a_trailer() -> None:
    assert copy_rows([]) == HEADER + TRAILER


def test_each_file_is_four_columns_with_their_lengths() -> None:
    one = ListedFile("é/a.jpg".encode(), 258, 2**40)
    other = ListedFile(b"b.txt", 0, -1)
    assert copy_rows([(one, None), (other, SkipReason.TOO_LARGE)]) == (
        HEADER
        + b"\x00\x04"
        + b"\x00\x00\x00\x08\xc3\xa9/a.jpg"
        + b"\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x01\x02"
        + b"\x00\x00\x00\x08\x00\x00\x01\x00\x00\x00\x00\x00"
        + b"\xff\xff\xff\xff"
        + b"\x00\x04"
        + b"\x00\x00\x00\x05b.txt"
        + b"\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00"
        + b"\x00\x00\x00\x08\xff\xff\xff\xff\xff\xff\xff\xff"
        + b"\x00\x00\x00\x13too large to decode"
        + TRAILER
    )
