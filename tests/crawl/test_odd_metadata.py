"""What cameras write into their files, and what is stored of it."""

import os
from datetime import datetime
from typing import Any

import pytest

from tests.crawl.library import Library
from tests.crawl.pictures import encode, exif, write

pytestmark = pytest.mark.postgres

MAKE, MODEL, WIDTH, ORIENTATION = 0x010F, 0x0110, 0x0100, 0x0112
TAKEN, DIGITIZED, LENS, SEEN_WIDTH = 0x9003, 0x9004, 0xA434, 0xA002
MODIFIED_NS = 1_500_000_000 * 10**9
"""2017-07-14 02:40:00 UTC, two hours later in Berlin's summer."""


def stored(library: Library, block: bytes, mtime_ns: int = MODIFIED_NS) -> Any:
    """The row of one picture with this block."""
    path = write(library.root / "a.jpg", encode(size=(64, 48), exif=block))
    os.utime(path, ns=(mtime_ns, mtime_ns))
    assert library.crawl()["ingested"] == 1
    (row,) = library.rows(
        "SELECT a.width, a.height, m.* FROM media_assets a"
        " JOIN asset_metadata m ON m.asset_id = a.id"
    )
    return row


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"Canon\x00EOS 5D", "Canon"),
        (b"Caf\xe9 Kamera", "Caf\u00e9 Kamera"),
        ("华为".encode("gbk"), "\u00bb\u00aa\u00ce\u00aa"),
        (b"Nikon\x1b[31m\x07", "Nikon[31m"),
        (b"\x00\x00\x00", None),
        (b"X" * 10_000, "X" * 200),
        ("日本".encode(), "日本"),
    ],
)
def test_text_of_any_bytes_is_stored_as_valid_text(
    library: Library, raw: bytes, text: str | None
) -> None:
    row = stored(library, exif(base={MAKE: raw, MODEL: raw}, details={LENS: raw}))
    assert (row.make, row.model, row.lens) == (text, text, text)


def test_numbers_out_of_range_spoil_nothing_else(library: Library) -> None:
    block = exif(
        base={WIDTH: 4_294_967_295, ORIENTATION: 9, MAKE: "Maker"},
        details={SEEN_WIDTH: "100, 0, 0", TAKEN: "2021:03:04 05:06:07"},
        gps={1: "N", 2: (1e9, 0.0, 0.0), 3: "E", 4: (10.0, 0.0, 0.0)},
    )
    row = stored(library, block)
    assert (row.width, row.height, row.rotation_degrees) == (64, 48, 0)
    assert (row.latitude, row.longitude, row.make) == (None, None, "Maker")
    assert row.captured_at == datetime(2021, 3, 4, 5, 6, 7)  # noqa: DTZ001


NO_DATES = (
    "0000:00:00 00:00:00",
    "    :  :     :  :  ",
    "2021:02:30 10:00:00",
    "1899:12:31 23:59:59",
    "1904:01:01 00:00:00",
    "1970:01:01 00:00:00",
    "2999:01:01 00:00:00",
    "yesterday",
)


@pytest.mark.parametrize("text", NO_DATES)
def test_what_is_no_date_leaves_the_word_to_the_next_source(library: Library, text: str) -> None:
    row = stored(library, exif(details={TAKEN: text, DIGITIZED: "2020:05:06 07:08:09"}))
    assert (row.captured_at, row.capture_source) == (
        datetime(2020, 5, 6, 7, 8, 9),  # noqa: DTZ001
        "CreateDate",
    )
    assert (row.is_estimated, row.capture_year) == (False, 2020)


@pytest.mark.parametrize("text", NO_DATES)
def test_without_any_date_the_file_s_own_is_an_estimate(library: Library, text: str) -> None:
    row = stored(library, exif(details={TAKEN: text, DIGITIZED: text}))
    assert (row.captured_at, row.capture_source) == (
        datetime(2017, 7, 14, 4, 40),  # noqa: DTZ001
        "mtime",
    )
    assert row.is_estimated


@pytest.mark.parametrize("mtime_ns", [-(10**9), 0, -1, 10**9])
def test_a_file_without_a_time_of_its_own_has_no_date(library: Library, mtime_ns: int) -> None:
    row = stored(library, exif(details={TAKEN: NO_DATES[0]}), mtime_ns)
    assert (row.captured_at, row.capture_year, row.capture_source) == (None, None, None)


@pytest.mark.parametrize(
    ("latitude", "longitude", "place"),
    [
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (None, None)),
        ((51.0, 28.2, 0.0), (0.0, 0.0, 0.0), (51.47, 0.0)),
        ((0.0, 0.0, 0.0), (32.0, 30.0, 0.0), (0.0, 32.5)),
        ((91.0, 0.0, 0.0), (10.0, 0.0, 0.0), (None, None)),
        ((51.0, 0.0, 0.0), (181.0, 0.0, 0.0), (None, None)),
        ((51.0, 0.0, 0.0), None, (None, None)),
    ],
)
def test_only_a_place_is_stored_as_one(
    library: Library, latitude: Any, longitude: Any, place: Any
) -> None:
    gps = {1: "N", 2: latitude, 3: "E", 4: longitude}
    row = stored(library, exif(gps={tag: value for tag, value in gps.items() if value is not None}))
    assert (row.latitude, row.longitude) == pytest.approx(place)
