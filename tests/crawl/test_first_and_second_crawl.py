"""A crawl of real files into a real database, and the one after it."""

from datetime import datetime

import pytest

from adapters.filesystem.originals import FilesystemOriginals
from adapters.filesystem.proxy_store import FilesystemProxyStore
from tests.crawl.library import Library
from tests.crawl.pictures import encode, exif, photo, write
from tests.fakes.crawl_context import RecordedProgress

pytestmark = pytest.mark.postgres


def fill(library: Library) -> None:
    write(library.root / "a.jpg", photo(1))
    write(library.root / "trip" / "b.png", encode((1, 2, 3), kind="PNG"))
    write(library.root / "trip" / "c.webp", encode((4, 5, 6), kind="WEBP"))
    write(library.root / "trip" / "d.gif", encode((7, 8, 9), kind="GIF"))
    write(library.root / "trip" / "copy of a.jpg", photo(1))
    write(library.root / "notes.txt", b"hello")
    write(library.root / "clip.3gp", b"....ftyp3gp4")
    write(library.root / "empty.jpg", b"")
    write(library.root / "text.jpg", b"this is no picture")
    write(library.root / "half.jpg", encode((9, 9, 9), (400, 300), quality=100)[:700])
    write(library.root / ".hidden" / "x.jpg", photo(2))
    write(library.root / "@eaDir" / "x.jpg", photo(3))
    write(library.root / "download.jpg.part", photo(4))


def test_every_file_comes_to_one_verdict(library: Library) -> None:
    fill(library)
    result = library.crawl()
    assert result["found"] == 10
    assert result["ingested"] == 4
    assert result["duplicate"] == 1
    assert result["skippedByReason"] == {"empty": 1, "unsupported": 2}
    assert result["failedByReason"] == {"damaged": 1, "not an image": 1}
    assert result["byMediaType"] == {"Image": 5}
    assert result["foldersVisited"] == 2
    assert result["proxiesWritten"] == 8
    assert result["bytesRead"] > 0
    assert result["heldBack"] == 0


def test_a_second_run_finds_everything_unchanged_and_touches_nothing(library: Library) -> None:
    fill(library)
    library.crawl()
    files = library.rows("SELECT *, xmin::text FROM source_files ORDER BY id")
    assets = library.rows("SELECT *, xmin::text FROM media_assets ORDER BY id")
    proxies = library.proxy_files()
    result = library.crawl()
    assert (result["found"], result["unchanged"], result["duplicate"]) == (10, 4, 1)
    assert (result["ingested"], result["bytesRead"], result["proxiesWritten"]) == (0, 0, 0)
    assert (result["skipped"], result["failed"]) == (3, 2)
    assert library.rows("SELECT *, xmin::text FROM source_files ORDER BY id") == files
    assert library.rows("SELECT *, xmin::text FROM media_assets ORDER BY id") == assets
    assert library.proxy_files() == proxies


def test_proxies_among_the_originals_are_no_originals(library: Library) -> None:
    inside = library.root / "proxies"
    library.originals = FilesystemOriginals(
        worker_root=library.base / "originals", proxy_path=inside
    )
    library.proxies = FilesystemProxyStore(proxy_path=inside)
    write(library.root / "a.jpg", photo(1))
    assert library.crawl()["found"] == 1
    assert sum(each.is_file() for each in inside.rglob("*")) == 2
    again = library.crawl()
    assert (again["found"], again["unchanged"], again["ingested"]) == (1, 1, 0)


def test_failures_are_written_again_for_each_attempt(library: Library) -> None:
    fill(library)
    library.crawl()
    library.crawl()
    rows = library.rows(
        "SELECT attempt, path, display_path, reason, message FROM crawl_failures ORDER BY 1, 2"
    )
    half = (b"half.jpg", "half.jpg", "damaged", "the picture is damaged or cut off")
    text = (
        b"text.jpg",
        "text.jpg",
        "not an image",
        "the content is that of no known picture format",
    )
    assert [tuple(row) for row in rows] == [(1, *half), (1, *text), (2, *half), (2, *text)]


def test_a_failed_file_is_tried_again_once_it_changed(library: Library) -> None:
    broken = write(library.root / "text.jpg", b"this is no picture")
    assert library.crawl()["failed"] == 1
    broken.write_bytes(photo(7))
    result = library.crawl()
    assert (result["ingested"], result["failed"]) == (1, 0)


def test_what_the_camera_wrote_is_stored_with_the_asset(library: Library) -> None:
    block = exif(
        base={0x010F: "Maker", 0x0110: "Model 1", 0x0112: 6},
        details={0x9003: "2021:03:04 05:06:07", 0x9291: "5", 0x9011: "+09:30", 0xA434: "Lens"},
        gps={1: "N", 2: (51.0, 30.0, 0.0), 3: "W", 4: (0.0, 30.0, 0.0)},
    )
    write(library.root / "a.jpg", encode(size=(640, 400), exif=block))
    library.crawl()
    (row,) = library.rows(
        "SELECT a.width, a.height, m.captured_at, m.capture_offset_seconds, m.capture_source,"
        " m.is_estimated, m.capture_year, m.capture_month, m.capture_day, m.rotation_degrees,"
        " m.is_mirrored, m.latitude, m.longitude, m.make, m.model, m.lens"
        " FROM media_assets a JOIN asset_metadata m ON m.asset_id = a.id"
    )
    assert tuple(row) == (
        400, 640, datetime(2021, 3, 4, 5, 6, 7, 500_000), 34_200, "DateTimeOriginal",  # noqa: DTZ001
        False, 2021, 3, 4, 90, False, 51.5, -0.5, "Maker", "Model 1", "Lens",
    )  # fmt: skip
    proxies = library.rows("SELECT kind, width, height FROM proxy_files ORDER BY kind")
    assert [tuple(row) for row in proxies] == [("preview", 400, 640), ("thumbnail", 188, 300)]


def test_proxies_lie_below_the_assets_id(library: Library) -> None:
    write(library.root / "a.jpg", photo(1))
    library.crawl()
    (asset,) = library.holders().values()
    assert set(library.proxy_files()) == {
        f"{asset.hex[:2]}/{asset.hex[2:]}/thumbnail.jpg",
        f"{asset.hex[:2]}/{asset.hex[2:]}/preview.jpg",
    }


def test_progress_counts_up_to_the_total_and_names_no_file(library: Library) -> None:
    fill(library)
    progress = RecordedProgress()
    library.crawl(progress=progress)
    listing = [each for each in progress.reports if each[1] is None]
    known = [each for each in progress.reports if each[1] is not None]
    assert listing[-1] == (10, None, None)
    assert {total for _, total, _ in known} == {10}
    assert [done for done, *_ in known] == sorted(done for done, *_ in known)
    assert known[-1] == (10, 10, "10 found, 4 new, 2 failed")


def test_a_folder_of_an_empty_folder_adds_up_to_nothing(library: Library) -> None:
    (library.root / "empty").mkdir()
    result = library.crawl()
    assert (result["found"], result["foldersVisited"]) == (0, 2)


def test_a_path_longer_than_an_index_entry_is_kept_byte_for_byte(library: Library) -> None:
    parts = [bytes([97 + number]) * 250 for number in range(13)]
    folder = library.root
    for part in parts:
        folder = folder / part.decode()
    write(folder / "deep.jpg", photo(1))
    assert library.crawl()["ingested"] == 1
    assert library.holders().keys() == {b"/".join([*parts, b"deep.jpg"])}
    assert library.crawl()["unchanged"] == 1
