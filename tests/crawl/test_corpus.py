"""Odd files from real cameras, and what exiftool says of them."""

import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.corpus import CORPUS, manifest, needs_corpus
from tests.crawl.library import Library

pytestmark = [pytest.mark.postgres, needs_corpus]

SUPPORTED = re.compile(r"\.(jpe?g|png|webp|gif)$", re.IGNORECASE)
BROKEN = {
    "made/half.jpg", "sourced/vips_truncated.jpg", "sourced/pil_broken.png",
    "sourced/pil_broken_stream.png", "sourced/pil_bomb.gif", "sourced/pil_zero_width.gif",
}  # fmt: skip
SKIPPED = {"made/zero.jpg", "made/heic_named.jpg", "made/bomb_30000x30000.png"}


def assets(library: Library) -> dict[str, Any]:
    rows = library.rows(
        "SELECT s.display_path, a.width, a.height, m.* FROM source_files s"
        " JOIN media_assets a ON a.id = s.asset_id JOIN asset_metadata m ON m.asset_id = a.id"
    )
    return {row.display_path: row for row in rows}


@pytest.fixture
def crawled(library: Library) -> Library:
    for folder in ("made", "sourced"):
        shutil.copytree(CORPUS / folder, library.root / folder)
    result = library.crawl()
    assert result["failedByReason"] == {"damaged": len(BROKEN)}
    return library


def test_every_whole_picture_is_ingested_with_the_size_that_is_seen(crawled: Library) -> None:
    found = assets(crawled)
    expected = {row["file"]: row for row in manifest() if SUPPORTED.search(row["file"])}
    assert found.keys() == expected.keys() - BROKEN - SKIPPED
    for name, row in found.items():
        told = expected[name]
        size = {int(told["et_width"]), int(told["et_height"])}
        assert {row.width, row.height} == size, name


def test_places_agree_with_exiftool_where_they_are_places(crawled: Library) -> None:
    found = assets(crawled)
    for told in manifest():
        row, latitude = found.get(told["file"]), told["et_latitude"]
        if row is None or not latitude or told["file"] in NO_PLACE:
            continue
        assert row.latitude == pytest.approx(float(latitude), abs=1e-6), told["file"]
        assert row.longitude == pytest.approx(float(told["et_longitude"]), abs=1e-6)


NO_PLACE = {"made/gps_zero_zero.jpg", "made/gps_lat_91.jpg", "sourced/mei_gps_zero.jpg"}


def test_what_is_no_place_is_none(crawled: Library) -> None:
    found = assets(crawled)
    for name in (*NO_PLACE, "made/gps_nan.jpg", "made/gps_no_refs.jpg"):
        assert found[name].latitude is None
    assert (found["made/gps_greenwich.jpg"].longitude) == 0.0


def test_dates_agree_with_exiftool_where_they_are_dates(crawled: Library) -> None:
    found = assets(crawled)
    for told in manifest():
        row, text = found.get(told["file"]), told["et_DateTimeOriginal"]
        if row is None:
            continue
        try:
            expected = datetime.strptime(text[:19].replace("-", ":"), "%Y:%m:%d %H:%M:%S").replace(
                tzinfo=UTC
            )
        except ValueError:
            expected = None
        if expected is None or expected > datetime.now(UTC):
            assert row.capture_source in {"mtime", "XMP"} or told["et_CreateDate"], told["file"]
        elif told["file"] != "sourced/im_gps_good.jpg":
            assert row.captured_at.replace(microsecond=0, tzinfo=UTC) == expected, told["file"]
            assert not row.is_estimated


def test_a_hostile_folder_is_crawled_and_adds_up(library: Library) -> None:
    library.root.rmdir()
    script = CORPUS / "make_nasty_tree.py"
    subprocess.run([sys.executable, str(script), str(library.root)], check=True, timeout=60)
    result = library.crawl()
    paths = {bytes(row.path) for row in library.rows("SELECT path FROM source_files")}
    for name in (b"caf\xe9.jpg", b"nl\nname.jpg", b"L" * 251 + b".jpg", b"x[Q=1].jpg"):
        assert b"names/" + name in library.holders()
    assert not any(b"@eaDir" in path or b"recycle" in path.lower() for path in paths)
    assert result["skippedByReason"]["link"] == 4
    assert result["skippedByReason"]["special file"] == 1
    assert result["duplicate"] == 2
    second = library.crawl()
    assert (second["ingested"], second["bytesRead"]) == (0, 0)
    assert second["found"] == result["found"]
