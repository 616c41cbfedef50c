"""The first directory of a TIFF, by TIFF 6.0 and the BigTIFF extension."""

import pytest

from adapters.ingestion.tiff_directory import BrokenDirectory, first_directory

Found = list[tuple[int, int, bytes]]


def found(encoded: bytes) -> Found:
    return [(each.tag, each.kind, bytes(each.values)) for each in first_directory(encoded)]


def numbers(encoded: bytes) -> list[list[int]]:
    return [list(each.numbers()) for each in first_directory(encoded)]


LITTLE = (
    b"II\x2a\x00\x08\x00\x00\x00"  # order, 42, where the directory is
    b"\x03\x00"  # three entries: a width, two offsets, a text of five bytes
    b"\x00\x01\x03\x00\x01\x00\x00\x00\x80\x02\x00\x00"
    b"\x11\x01\x04\x00\x02\x00\x00\x00\x32\x00\x00\x00"
    b"\x0f\x01\x02\x00\x05\x00\x00\x00\x3a\x00\x00\x00"
    b"\x00\x00\x00\x00"  # no further directory
    b"\x00\x10\x00\x00\x00\x20\x00\x00"
    b"Cam1\x00"
)
BIG = (
    b"MM\x00\x2a\x00\x00\x00\x08"
    b"\x00\x03"
    b"\x01\x00\x00\x03\x00\x00\x00\x01\x02\x80\x00\x00"
    b"\x01\x11\x00\x04\x00\x00\x00\x02\x00\x00\x00\x32"
    b"\x01\x0f\x00\x02\x00\x00\x00\x05\x00\x00\x00\x3a"
    b"\x00\x00\x00\x00"
    b"\x00\x00\x10\x00\x00\x00\x20\x00"
    b"Cam1\x00"
)
BIG_TIFF = (
    b"II\x2b\x00\x08\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00"  # 43, words of eight bytes
    b"\x02\x00\x00\x00\x00\x00\x00\x00"
    b"\x11\x01\x10\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00"
    b"\x17\x01\x04\x00\x03\x00\x00\x00\x00\x00\x00\x00\x48\x00\x00\x00\x00\x00\x00\x00"
    b"\x00\x00\x00\x00\x00\x00\x00\x00"
    b"\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00"
)
BIG_BIG_TIFF = (
    b"MM\x00\x2b\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x10"
    b"\x00\x00\x00\x00\x00\x00\x00\x01"
    b"\x01\x11\x00\x03\x00\x00\x00\x00\x00\x00\x00\x04\x00\x01\x00\x02\x00\x03\x00\x04"
    b"\x00\x00\x00\x00\x00\x00\x00\x00"
)


@pytest.mark.parametrize("encoded", [LITTLE, BIG], ids=["little-endian", "big-endian"])
def test_values_stand_in_their_entry_or_where_it_says(encoded: bytes) -> None:
    assert [(tag, kind) for tag, kind, _ in found(encoded)] == [(256, 3), (273, 4), (271, 2)]
    width, offsets, text = first_directory(encoded)
    assert list(width.numbers()) == [640]
    assert list(offsets.numbers()) == [4096, 8192]
    assert bytes(text.values) == b"Cam1\x00"


def test_a_big_tiff_has_wider_words() -> None:
    assert numbers(BIG_TIFF) == [[2**32], [1, 2, 3]]
    assert numbers(BIG_BIG_TIFF) == [[1, 2, 3, 4]]


def test_a_directory_may_stand_anywhere_in_the_file() -> None:
    moved = LITTLE[:4] + b"\x40\x00\x00\x00" + bytes(56) + LITTLE[8:22] + LITTLE[46:50]
    moved = moved[:64] + b"\x01\x00" + moved[66:]
    assert numbers(moved) == [[640]]


SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}
"""In bytes, of the types of TIFF 6.0 and its first supplement; then those of BigTIFF."""
BIG_SIZES = {16: 8, 17: 8, 18: 8}


def one_entry(kind: int, count: int, value: bytes = bytes(4)) -> bytes:
    entry = b"\x00\x01" + kind.to_bytes(2, "little") + count.to_bytes(4, "little") + value
    return b"II\x2a\x00\x08\x00\x00\x00\x01\x00" + entry + bytes(4)


@pytest.mark.parametrize(("kind", "size"), (SIZES | BIG_SIZES).items())
def test_every_type_has_its_size(kind: int, size: int) -> None:
    encoded = one_entry(kind, 3, b"\x1a\x00\x00\x00") + b"\x01" * (3 * size)
    expected = b"\x01" * (3 * size) if size > 1 else b"\x1a\x00\x00"
    assert found(encoded) == [(256, kind, expected)]
    if size > 1:
        with pytest.raises(BrokenDirectory):
            found(encoded[:-1])


@pytest.mark.parametrize("kind", [0, 14, 15, 19, 999])
def test_a_type_that_nobody_knows_has_no_values(kind: int) -> None:
    assert found(one_entry(kind, 2**32 - 1)) == [(256, kind, b"")]


def test_values_of_exactly_a_word_stand_in_their_entry() -> None:
    assert found(one_entry(2, 4, b"abc\x00")) == [(256, 2, b"abc\x00")]
    assert found(one_entry(2, 5, b"\x1a\x00\x00\x00") + b"abcd\x00") == [(256, 2, b"abcd\x00")]


@pytest.mark.parametrize("kind", [1, 2, 5, 12, 17, 0])
def test_only_unsigned_integers_are_numbers(kind: int) -> None:
    (entry,) = first_directory(one_entry(kind, 1, b"\x1a\x00\x00\x00") + bytes(8))
    with pytest.raises(BrokenDirectory):
        entry.numbers()


def test_more_strips_than_any_picture_has_are_none() -> None:
    """Of offsets of eight bytes: what counts is their number, and not their size."""
    for count, is_taken in ((4_000_000, True), (4_000_001, False)):
        (entry,) = first_directory(one_entry(16, count, b"\x1a\x00\x00\x00") + bytes(8 * count))
        if is_taken:
            assert len(entry.numbers()) == count
        else:
            with pytest.raises(BrokenDirectory):
                entry.numbers()


@pytest.mark.parametrize("encoded", [LITTLE, BIG, BIG_TIFF, BIG_BIG_TIFF])
def test_what_is_cut_off_is_broken(encoded: bytes) -> None:
    """Behind the entries stands where the next directory is, which has to be there too."""
    for size in range(len(encoded)):
        with pytest.raises(BrokenDirectory):
            found(encoded[:size])


def test_a_directory_without_entries_is_empty() -> None:
    assert found(b"II\x2a\x00\x08\x00\x00\x00\x00\x00" + bytes(4)) == []
    with pytest.raises(BrokenDirectory):
        found(b"II\x2a\x00\x08\x00\x00\x00\x00\x00" + bytes(3))
