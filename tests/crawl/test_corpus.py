"""Odd files from real cameras, and what exiftool says of them."""

import re
import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.corpus import CORPUS, manifest, needs_corpus
from tests.crawl.library import Library

pytestmark = [pytest.mark.postgres, needs_corpus]

ZONE = ZoneInfo("Europe/Berlin")

NOT_INGESTED = {
    "made/half.jpg": "damaged",
    "made/vid_truncated.mp4": "damaged",
    "made/html_named.mov": "not a video",
    "made/audio_only.mp4": "no video stream",
    "made/zero.jpg": "empty",
    "made/bomb_30000x30000.png": "too many pixels",
    "sourced/vips_17000x17000.avif": "too many pixels",  # must be decoded whole: 100 megapixels
    "sourced/vips_truncated.jpg": "damaged",
    "sourced/pil_broken.png": "damaged",
    "sourced/pil_broken_stream.png": "damaged",
    "sourced/pil_bomb.gif": "damaged",  # without the pixels that it claims
    "sourced/pil_zero_width.gif": "damaged",
    "sourced/heif_corrupted.heic": "damaged",
    "sourced/heif_empty.heic": "empty",
    "sourced/et_quicktime.mov": "damaged",  # headers without a frame, as the next two
    "sourced/et_matroska.mkv": "damaged",
    "sourced/et_asf.wmv": "damaged",
    "sourced/pil_stereo.mpo": "unsupported",
    "sourced/mei_jpeg_named.nef": "unsupported",
    "sourced/mei_sample.3gp": "unsupported",
    "sourced/et_raw.cr2": "unsupported",
    "sourced/ex_phone.dng": "unsupported",
}
OTHER_DATES = {
    "sourced/pil_gps_garbage_2099.jpg": "in the future: the file's",
    "sourced/pil_invalid_exif.jpg": "EXIF is broken; the manifest leaves XMP's CreateDate out",
    "sourced/im_gps_good.jpg": "XMP without a zone; exiftool takes the zone of IPTC's time",
}
OTHER_PLACES = {
    "made/gps_zero_zero.jpg": "0/0 is a lost fix",
    "sourced/mei_gps_zero.jpg": "0/0 is a lost fix",
    "made/gps_lat_91.jpg": "out of range",
}
OTHER_TEXTS = {
    ("made/make_latin1.jpg", "make"): "exiftool prints ? where we read Latin-1",
    ("made/make_gbk.jpg", "make"): "exiftool prints ? where we read Latin-1",
    ("made/make_10kB.jpg", "make"): "exiftool prints 60 characters, we keep 200",
    ("sourced/pil_gps_typeerror.jpg", "lens"): "XMP's lens; we read EXIF's",
    ("sourced/im_gps_good.jpg", "lens"): "XMP's lens; we read EXIF's",
    ("sourced/mei_gps_empty.jpg", "lens"): "a number in Nikon's maker note",
}
MIRRORED = {"2", "4", "5", "7"}
TURNS = {"3": 180, "4": 180, "5": 270, "6": 90, "7": 90, "8": 270}


@pytest.fixture(scope="module")
def told() -> dict[str, Mapping[str, str]]:
    return {row["file"]: row for row in manifest()}


@pytest.fixture
def crawled(library: Library) -> Library:
    for folder in ("made", "sourced"):
        shutil.copytree(CORPUS / folder, library.root / folder)
    library.crawl()
    return library


def assets(library: Library) -> dict[str, Any]:
    rows = library.rows(
        "SELECT s.display_path, a.*, m.* FROM source_files s"
        " JOIN media_assets a ON a.id = s.asset_id JOIN asset_metadata m ON m.asset_id = a.id"
    )
    return {row.display_path: row for row in rows}


def test_everything_agrees_with_exiftool_but_what_is_listed(
    crawled: Library, told: dict[str, Mapping[str, str]]
) -> None:
    outcomes = crawled.rows("SELECT display_path, reason FROM source_files")
    reasons = {row.display_path: row.reason for row in outcomes if row.reason}
    assert reasons == NOT_INGESTED
    found = assets(crawled)
    assert found.keys() == told.keys() - NOT_INGESTED.keys()
    wrong = [line for name, row in found.items() for line in differences(name, row, told[name])]
    assert wrong == []


def differences(name: str, row: Any, expected: Mapping[str, str]) -> Iterator[str]:
    """What is not as exiftool says, and not listed above either."""
    for what, ours, theirs in comparisons(row, expected):
        if ours != theirs and what not in listed(name):
            yield f"{name}: {what} is {ours} and should be {theirs}"


def listed(name: str) -> set[str]:
    whats = {what for (file, what) in OTHER_TEXTS if file == name}
    whats |= {"date", "offset"} if name in OTHER_DATES else set()
    return whats | ({"place"} if name in OTHER_PLACES else set())


def comparisons(row: Any, expected: Mapping[str, str]) -> Iterator[tuple[str, Any, Any]]:
    turn = turn_of(row, expected)
    yield "size", (row.width, row.height), size_of(expected)
    yield "turn", row.rotation_degrees, turn
    is_mirrored = row.format != "heic" and expected["et_orientation"] in MIRRORED
    yield "mirrored", row.is_mirrored, is_mirrored
    date, offset = date_of(row, expected)
    if date is None:
        yield "date", row.is_estimated, True
    else:
        yield "date", row.captured_at.replace(tzinfo=UTC), date
        yield "offset", row.capture_offset_seconds, offset
    yield "place", *(places(row, expected))
    for text in ("make", "model", "lens"):
        yield text, getattr(row, text) or "", expected[f"et_{text}"]
    yield "identifier", row.content_identifier or "", expected["et_content_id"]
    if row.media_type == "Video":
        yield "duration", round(row.duration_seconds, 2), round(float(expected["et_duration_s"]), 2)


def turn_of(row: Any, expected: Mapping[str, str]) -> int:
    if row.format == "heic":
        return 0  # the decoder has turned it
    if row.media_type == "Video":
        return int(expected["et_rotation"] or 0)
    return TURNS.get(expected["et_orientation"], 0)


def size_of(expected: Mapping[str, str]) -> tuple[int, int]:
    """exiftool gives the size as it is stored."""
    width, height = int(expected["et_width"]), int(expected["et_height"])
    rotation = expected["et_rotation"]
    is_turned = rotation in {"90", "270"} if rotation else expected["et_orientation"] in set("5678")
    return (height, width) if is_turned else (width, height)


def date_of(row: Any, expected: Mapping[str, str]) -> tuple[datetime | None, int | None]:
    """By the rules' order: local time, written as if it were UTC, and the offset in seconds."""
    if row.media_type == "Video":
        return date_of_video(expected)
    for text, fraction, offset in (
        (expected["et_DateTimeOriginal"], expected["et_SubSec"], expected["et_OffsetOriginal"]),
        (expected["et_CreateDate"], "", ""),
    ):
        local = local_time(text[:19])
        if local is not None:
            seconds = f"0.{fraction or 0}"
            return local + timedelta(seconds=float(seconds)), seconds_of(offset or text[19:])
    return None, None


def date_of_video(expected: Mapping[str, str]) -> tuple[datetime | None, int | None]:
    text = expected["et_Keys_CreationDate"]
    if text:
        return local_time(text[:19]), seconds_of(text[19:])
    utc = local_time(expected["et_QT_CreateDate"])
    if utc is None:
        return None, None
    offset = utc.astimezone(ZONE).utcoffset()
    assert offset is not None
    return utc + offset, int(offset.total_seconds())


def local_time(text: str) -> datetime | None:
    match = re.fullmatch(r"(\d{4})[-:](\d\d)[-:](\d\d) (\d\d):(\d\d):(\d\d)", text)
    if match is None or match.group(1) == "0000":
        return None
    return datetime(*map(int, match.groups()), tzinfo=UTC)  # type: ignore[arg-type, misc]


def seconds_of(offset: str) -> int | None:
    if not offset:
        return None
    hours, minutes = int(offset[1:3]), int(offset[4:6])
    return (hours * 60 + minutes) * (-60 if offset[0] == "-" else 60)


def places(row: Any, expected: Mapping[str, str]) -> tuple[Any, Any]:
    ours = None if row.latitude is None else (round(row.latitude, 5), round(row.longitude, 5))
    latitude, longitude = expected["et_latitude"], expected["et_longitude"]
    if not (latitude and longitude):
        return ours, None
    return ours, (round(float(latitude), 5), round(float(longitude), 5))


def test_what_differs_from_exiftool_is_what_the_rules_say(crawled: Library) -> None:
    found = assets(crawled)
    for name in (*OTHER_PLACES, "made/gps_nan.jpg", "made/gps_no_refs.jpg"):
        assert found[name].latitude is None, name
    for name in ("sourced/pil_gps_garbage_2099.jpg", "made/date_blank.jpg"):
        assert found[name].is_estimated, name
    invalid = found["sourced/pil_invalid_exif.jpg"]
    assert (str(invalid.captured_at), invalid.capture_source) == ("2017-03-13 23:03:09", "XMP")
    assert str(found["sourced/im_gps_good.jpg"].captured_at) == "2022-01-10 15:15:44.310000"
    assert found["made/make_latin1.jpg"].make == "Café Kamera"
    assert found["made/make_10kB.jpg"].make == "A" * 200


def test_live_photos_are_found_by_name_and_by_identifier(crawled: Library) -> None:
    found = assets(crawled)
    halves = {"LIVE_0001.HEIC": "LIVE_0001.MOV", "IMG_0004.HEIC": "IMG_0004_HEVC.MOV"}
    for still, motion in halves.items():
        assert found[f"made/{still}"].media_type == "LivePhoto"
        assert found[f"made/{motion}"].still_id == found[f"made/{still}"].id
    # An Android motion photo is one file and one picture.
    assert found["made/MVIMG_0006.jpg"].media_type == "Image"
