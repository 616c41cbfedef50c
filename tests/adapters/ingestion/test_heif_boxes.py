"""The boxes of HEIC and AVIF, by ISO/IEC 14496-12 and 23008-12."""

from itertools import islice

import pytest

from adapters.ingestion.heif_boxes import (
    BrokenBoxes,
    Extent,
    Item,
    NumberReader,
    boxes,
    declared_size,
    extents,
    item_entries,
    items,
    meta_boxes,
)

ENOUGH = 100


def box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return (len(body) + 8).to_bytes(4, "big") + kind + body


def large_box(kind: bytes, body: bytes) -> bytes:
    return b"\x00\x00\x00\x01" + kind + (len(body) + 16).to_bytes(8, "big") + body


def found(data: bytes) -> list[tuple[bytes, bytes]]:
    return [(kind, bytes(body)) for kind, body in islice(boxes(memoryview(data)), ENOUGH)]


# ---------------------------------------------------------------- numbers


def test_numbers_follow_on_each_other_the_most_significant_byte_first() -> None:
    reader = NumberReader(memoryview(b"\x01\x02\x03\x04\x05\x06"), 1)
    assert (reader.number(2), reader.number(0), reader.number(1)) == (0x0203, 0, 4)
    assert bytes(reader.take(2)) == b"\x05\x06"
    assert (reader.at, bytes(reader.take(0))) == (6, b"")
    with pytest.raises(BrokenBoxes):
        reader.take(1)
    with pytest.raises(BrokenBoxes):
        NumberReader(memoryview(b"\x01"), 0).number(2)


# ---------------------------------------------------------------- boxes


def test_boxes_stand_one_behind_the_other() -> None:
    data = box(b"ftyp", b"heic") + box(b"free") + box(b"mdat", b"\x01\x02")
    assert found(data) == [(b"ftyp", b"heic"), (b"free", b""), (b"mdat", b"\x01\x02")]


def test_a_box_may_have_a_size_of_64_bits() -> None:
    data = large_box(b"mdat", b"abc") + box(b"free", b"x") + large_box(b"skip", b"")
    assert found(data) == [(b"mdat", b"abc"), (b"free", b"x"), (b"skip", b"")]


def test_a_box_of_no_size_lasts_until_the_end() -> None:
    data = box(b"ftyp") + b"\x00\x00\x00\x00mdat" + b"abc" + box(b"free")
    assert found(data) == [(b"ftyp", b""), (b"mdat", b"abc" + box(b"free"))]


def test_a_box_that_claims_more_has_what_there_is() -> None:
    assert found(b"\x00\x00\x01\x00mdatabc") == [(b"mdat", b"abc")]
    assert found(large_box(b"mdat", b"abc")[:-1]) == [(b"mdat", b"ab")]
    endless = b"\x00\x00\x00\x01mdat" + (2**56 + 20).to_bytes(8, "big") + b"abcd"
    assert found(endless + box(b"free")) == [(b"mdat", b"abcd" + box(b"free"))]


@pytest.mark.parametrize("size", [2, 7])
def test_a_box_smaller_than_its_header_is_the_last(size: int) -> None:
    assert found(box(b"ftyp") + size.to_bytes(4, "big") + b"mdat" + box(b"free")) == [
        (b"ftyp", b"")
    ]


def test_a_large_box_smaller_than_its_header_is_the_last() -> None:
    small = b"\x00\x00\x00\x01mdat" + (15).to_bytes(8, "big")
    assert found(box(b"ftyp") + small + box(b"free")) == [(b"ftyp", b"")]


def test_seven_bytes_are_no_box() -> None:
    assert found(box(b"ftyp") + b"\x00\x00\x00\x10mda") == [(b"ftyp", b"")]
    assert found(b"") == []
    assert found(b"\x00\x00\x00\x08free") == [(b"free", b"")]


# ---------------------------------------------------------------- meta


def test_the_first_meta_box_tells_of_the_file() -> None:
    meta = box(b"meta", bytes(4), box(b"pitm", b"a"), box(b"iloc", b"b"))
    other = box(b"meta", bytes(4), box(b"pitm", b"c"))
    inner = meta_boxes(box(b"ftyp", b"heic") + meta + other)
    assert {kind: bytes(body) for kind, body in inner.items()} == {b"pitm": b"a", b"iloc": b"b"}
    assert meta_boxes(box(b"ftyp") + box(b"moov", other)) == {}


def size(width: int, height: int, kind: bytes = b"ispe") -> bytes:
    return box(kind, bytes(4), width.to_bytes(4, "big"), height.to_bytes(4, "big"))


def test_the_largest_picture_s_size_counts() -> None:
    properties = box(
        b"ipco", size(512, 512), size(90_000, 1), size(100, 600), size(2_000, 2_000, b"clap")
    )
    meta = {b"iprp": memoryview(properties)}
    assert declared_size(meta) == (512, 512)
    wide = box(b"ipco", box(b"ispe", bytes(4), b"\x01\x02\x03\x04\x05\x06\x07\x08\x09"))
    assert declared_size({b"iprp": memoryview(wide)}) == (0x01020304, 0x05060708)


@pytest.mark.parametrize(
    "meta", [{}, {b"iprp": memoryview(b"")}, {b"iprp": memoryview(box(b"ipma", size(1, 1)))}]
)
def test_a_file_that_claims_no_size_has_none(meta: dict[bytes, memoryview]) -> None:
    assert declared_size(meta) == (0, 0)


# ---------------------------------------------------------------- items


def entry(number: int, kind: bytes, version: int = 2) -> bytes:
    wide = number.to_bytes(4 if version == 3 else 2, "big")
    return box(b"infe", bytes([version, 0, 0, 0]), wide, b"\x00\x09", kind, b"name\x00")


def table(*entries: bytes, version: int = 0) -> memoryview:
    count = len(entries).to_bytes(4 if version else 2, "big")
    return memoryview(bytes([version, 0, 0, 0]) + count + b"".join(entries))


def listed(iinf: memoryview) -> list[Item]:
    return list(islice(items({b"iinf": iinf}), ENOUGH))


@pytest.mark.parametrize("version", [0, 1])
def test_items_are_listed_with_their_kinds(version: int) -> None:
    entries = (entry(1, b"hvc1"), entry(70_000, b"Exif", 3), entry(0x0203, b"mime"))
    assert listed(table(*entries, version=version)) == [
        Item(1, b"hvc1"),
        Item(70_000, b"Exif"),
        Item(0x0203, b"mime"),
    ]


@pytest.mark.parametrize("version", [0, 1, 4])
def test_entries_of_other_versions_name_no_kind(version: int) -> None:
    assert listed(table(entry(1, b"hvc1", version), entry(2, b"av01"))) == [Item(2, b"av01")]


def test_other_boxes_among_the_entries_are_none() -> None:
    odd, short = box(b"free", bytes(20)), box(b"infe", b"\x02\x00\x00\x00")
    assert listed(table(odd, short, entry(1, b"hvc1"))) == [Item(1, b"hvc1")]
    bodies = item_entries(table(odd, box(b"infe", b"\x02\x00\x00\x00x"), short))
    assert [bytes(each) for each in bodies] == [b"\x02\x00\x00\x00x"]


def test_an_entry_that_is_cut_off_is_broken() -> None:
    for cut in (b"\x00", b"\x00\x01\x00\x00hvc"):
        with pytest.raises(BrokenBoxes):
            listed(table(box(b"infe", b"\x02\x00\x00\x00", cut)))


def test_a_file_without_a_list_has_no_items() -> None:
    assert list(items({})) == []
    assert list(item_entries(memoryview(b"\x00\x00\x00\x00"))) == []
    assert list(item_entries(memoryview(b"\x01\x00\x00\x00\x00"))) == []


# ---------------------------------------------------------------- places


def places(data: bytes) -> list[Extent]:
    return list(extents({b"iloc": memoryview(data)}))


def test_places_of_version_0() -> None:
    """Offsets of 4 bytes, lengths of 2, bases of 3, and a nibble that is reserved."""
    data = (
        b"\x00\x00\x00\x00\x42\x3f\x00\x02"
        b"\x00\x07\x00\x00\x01\x00\x00\x00\x02"
        b"\x00\x00\x00\x10\x00\x20\x00\x00\x00\x40\x01\x00"
        b"\x00\x08\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x05\x00\x06"
    )
    assert places(data) == [
        Extent(7, 0x10010, 0x20),
        Extent(7, 0x10040, 0x100),
        Extent(8, 5, 6),
    ]


def test_places_of_version_1_have_methods_and_indexes() -> None:
    """Only of method 0 lies an item in the file; twelve bits before it are reserved."""
    data = (
        b"\x01\x00\x00\x00\x44\x02\x00\x03"
        b"\x00\x01\xff\xf0\x00\x00\x00\x01\x00\x63\x00\x00\x00\x0a\x00\x00\x00\x0b"
        b"\x00\x02\x00\x01\x00\x00\x00\x01\x00\x01\x00\x00\x00\x0c\x00\x00\x00\x0d"
        b"\x00\x03\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00\x0e\x00\x00\x00\x0f"
    )
    assert places(data) == [Extent(1, 10, 11), Extent(3, 14, 15)]


def test_places_of_version_2_have_wide_numbers() -> None:
    data = (
        b"\x02\x00\x00\x00\x88\x00\x00\x00\x00\x01"
        b"\x00\x01\x11\x70\x00\x00\x00\x00\x00\x01"
        b"\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02"
    )
    assert places(data) == [Extent(70_000, 2**32, 2)]


def test_numbers_of_no_width_are_zero() -> None:
    data = (
        b"\x00\x00\x00\x00\x04\x40\x00\x01\x00\x01\x00\x00\x00\x00\x00\x09\x00\x01\x00\x00\x00\x05"
    )
    assert places(data) == [Extent(1, 9, 5)]


def test_a_file_without_a_table_has_no_places() -> None:
    assert places(b"") == []
    assert list(extents({})) == []


def test_a_table_that_is_cut_off_is_broken() -> None:
    data = (
        b"\x01\x00\x00\x00\x44\x42\x00\x01"
        b"\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"
        b"\x00\x63\x00\x00\x00\x0a\x00\x00\x00\x0b"
    )
    assert places(data) == [Extent(1, 10, 11)]
    for kept in range(1, len(data)):
        with pytest.raises(BrokenBoxes):
            places(data[:kept])


def test_fifty_thousand_places_are_enough() -> None:
    """Of no width they take no room: a few bytes could claim thousands of millions."""
    head, item = b"\x00\x00\x00\x00\x00\x00", b"\x00\x01\x00\x00\xc3\x50"
    assert len(places(head + b"\x00\x01" + item)) == 50_000
    with pytest.raises(BrokenBoxes):
        places(head + b"\x00\x02" + item + b"\x00\x02\x00\x00\x00\x01")
