"""One file, from its bytes to its verdict."""

from datetime import datetime, timedelta

import pytest

from domain.library.asset import AssetMetadata
from domain.library.capture_date import CaptureDate, CaptureSource, RawDate, RawDates
from domain.library.media_type import MediaFormat, MediaType
from domain.library.orientation import Orientation
from domain.library.raw_metadata import RawMetadata
from domain.library.signature import Content
from tests.application.crawling.world import World
from tests.fakes.media import hash_of, video

SKIPPED = [
    (b"\x00\x00\x00\x18ftypcrx  and more", "unsupported content"),
    (b"\xff\xd8\xffHUGE", "too many pixels"),
    (b"\xff\xd8\xffLARGE", "too large to decode"),
    (b"\xff\xd8\xffSOUND", "no video stream"),
]
FAILED = [
    (b"this is text", "not an image", "the content is that of no known picture format"),
    (b"\xff\xd8\xffDAMAGED", "damaged", "it is damaged"),
]


@pytest.mark.parametrize(("content", "reason"), SKIPPED)
def test_a_file_that_is_not_taken_is_skipped_until_it_changes(content: bytes, reason: str) -> None:
    world = World()
    world.originals.put("a.jpg", content)
    for read in (len(content), 0):
        result = world.crawl()
        assert result["skippedByReason"] == {reason: 1}
        assert result["bytesRead"] == read
    row = world.library.files[b"a.jpg"]
    assert (row.outcome, row.content) == ("skipped", Content(len(content), hash_of(content)))
    assert world.library.failures == []
    assert world.proxies.kept == {}


@pytest.mark.parametrize(("content", "reason", "message"), FAILED)
def test_a_broken_file_is_failed_until_it_changes(
    content: bytes, reason: str, message: str
) -> None:
    world = World()
    world.originals.put("a.jpg", content)
    for read in (len(content), 0):
        result = world.crawl()
        assert result["failedByReason"] == {reason: 1}
        assert result["bytesRead"] == read
    assert world.library.failures == [
        (1, b"a.jpg", reason, message),
        (2, b"a.jpg", reason, message),
    ]
    row = world.library.files[b"a.jpg"]
    assert (row.outcome, row.content) == ("failed", Content(len(content), hash_of(content)))
    assert world.library.flights == {}


def test_a_file_that_cannot_be_opened_is_told_of_and_tried_again() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.originals.unreadable_files = {b"a.jpg"}
    assert world.crawl()["failedByReason"] == {"unreadable": 1}
    assert world.library.failures == [(1, b"a.jpg", "unreadable", "Permission denied")]
    world.originals.unreadable_files = set()
    assert world.crawl()["ingested"] == 1


def test_a_known_file_that_cannot_be_opened_now_keeps_its_asset() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.crawl()
    world.originals.put("a.jpg", "changed")
    world.originals.unreadable_files = {b"a.jpg"}
    result = world.crawl()
    assert (result["failed"], result["missing"]) == (1, 0)


def test_a_file_that_is_gone_since_the_listing_is_changing() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.originals.after_batch = world.originals.files.clear
    result = world.crawl()
    assert result["skippedByReason"] == {"changing": 1}
    assert result["bytesRead"] == 0
    assert world.library.files == {}


def test_a_file_that_changed_since_the_listing_is_changing_and_not_hashed() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.originals.after_batch = lambda: world.originals.put("a.jpg", "longer")
    assert world.crawl()["skippedByReason"] == {"changing": 1}
    assert world.hasher.hashed == 0


@pytest.mark.parametrize(("content", "mtime_ns"), [("longer", 10**18), ("a", 5)])
def test_a_file_that_changes_while_it_is_hashed_is_changing(content: str, mtime_ns: int) -> None:
    world = World()
    world.originals.put("a.jpg", "a")

    def change() -> None:
        world.originals.files[b"a.jpg"].content = b"\xff\xd8\xff" + content.encode()
        world.originals.files[b"a.jpg"].mtime_ns = mtime_ns

    world.hasher.after = change
    assert world.crawl()["skippedByReason"] == {"changing": 1}
    assert world.library.files == {}
    assert world.library.assets == {}
    world.hasher.after = lambda: None
    assert world.crawl()["ingested"] == 1


def test_a_known_file_that_changes_while_its_hash_is_noted_keeps_its_asset() -> None:
    world = World()
    world.originals.put("a.jpg", "a")
    world.crawl()
    world.originals.put("a.jpg", "b")
    world.hasher.after = lambda: world.originals.put("a.jpg", "longer and longer")
    world.originals.files[b"a.jpg"].mtime_ns = 3
    result = world.crawl()
    assert result["skippedByReason"] == {"changing": 1}
    assert result["missing"] == 0


def test_the_content_decides_what_a_picture_is() -> None:
    world = World()
    world.originals.put("a.jpg", b"\x89PNG\r\n\x1a\n and so on")
    assert world.crawl()["ingested"] == 1
    assert world.metadata.formats == [MediaFormat.PNG]
    assert world.developer.developed == [(MediaFormat.PNG, Orientation(0, is_mirrored=False))]
    (asset,) = world.library.assets.values()
    assert asset.developed.format is MediaFormat.PNG
    assert asset.developed.media_type is MediaType.IMAGE


def test_what_was_read_is_what_is_recorded() -> None:
    world = World()
    world.metadata.raw = RawMetadata(
        dates=RawDates(original=RawDate(text="2021:03:04 05:06:07")), orientation=6, make=b"Maker"
    )
    world.originals.put("a.jpg", "a")
    world.crawl()
    (asset,) = world.library.assets.values()
    assert asset.developed.asset_id == world.id_of("a.jpg")
    assert asset.developed.content == Content(4, hash_of(b"\xff\xd8\xffa"))
    assert asset.developed.metadata == AssetMetadata(
        captured=CaptureDate(
            local=datetime(2021, 3, 4, 5, 6, 7),  # noqa: DTZ001
            offset=None,
            source=CaptureSource.ORIGINAL,
        ),
        location=None,
        make="Maker",
        model=None,
        lens=None,
        content_identifier=None,
        duration_seconds=None,
    )
    assert asset.developed.rendition.orientation == Orientation(90, is_mirrored=False)
    assert world.developer.developed == [(MediaFormat.JPEG, Orientation(90, is_mirrored=False))]
    assert asset.developed.rendition.blurhash == "L"


def test_without_a_date_the_file_s_time_in_the_config_s_zone_is_the_estimate() -> None:
    world = World()
    world.originals.put("a.jpg", "a", mtime_ns=10**18)
    world.crawl()
    (asset,) = world.library.assets.values()
    captured = asset.developed.metadata.captured
    assert captured is not None
    assert captured.local == datetime(2001, 9, 9, 10, 46, 40)  # noqa: DTZ001
    assert captured.offset == timedelta(hours=9)
    assert captured.is_estimated


def test_a_date_over_a_day_after_the_crawl_s_present_is_none() -> None:
    world = World()
    world.metadata.raw = RawMetadata(
        dates=RawDates(original=RawDate(text="2024:06:02 10:00:00")),
    )
    world.originals.put("a.jpg", "a")
    world.crawl()
    (asset,) = world.library.assets.values()
    assert asset.developed.metadata.captured is not None
    assert asset.developed.metadata.captured.is_estimated


def test_no_more_than_the_head_is_read_to_tell_the_format() -> None:
    world = World()
    world.originals.put("a.jpg", b"text that is longer than the head of a file " * 9)
    world.crawl()
    assert world.originals.reads == [-1, 256]


def test_what_should_be_a_video_and_is_none_is_failed_as_such() -> None:
    world = World()
    world.originals.put("page.mov", b"<html>")
    assert world.crawl()["failedByReason"] == {"not a video": 1}
    assert world.library.failures == [
        (1, b"page.mov", "not a video", "the content is that of no known video format")
    ]


def test_a_video_is_one_whatever_its_name_says() -> None:
    world = World()
    world.originals.put("clip.jpg", video("clip"))
    assert world.crawl()["byMediaType"] == {"Video": 1}
    assert world.metadata.formats == [MediaFormat.QUICKTIME]
    (asset,) = world.library.assets.values()
    assert asset.developed.media_type is MediaType.VIDEO
