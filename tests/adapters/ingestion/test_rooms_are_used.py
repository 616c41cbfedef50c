"""Decoders wait for the room that others have: in memory, nothing is decoded beside it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from io import BytesIO
from threading import Event, Thread

import pytest

from adapters.ingestion.decoding_budget import DecodingBudget, DecodingLimits
from adapters.ingestion.metadata_reader import FormatMetadataReader
from adapters.ingestion.picture_developer import PictureDeveloper
from adapters.ingestion.video_developer import VideoDeveloper
from domain.library.media_type import MediaFormat
from domain.library.orientation import UPRIGHT
from tests.crawl.heic import heic
from tests.crawl.pictures import encode
from tests.crawl.videos import video

Held = Callable[[DecodingBudget], AbstractContextManager[None]]


def budget() -> DecodingBudget:
    return DecodingBudget(
        DecodingLimits(
            megapixels=300,
            whole_megabytes=100,
            whole_megabytes_at_once=1,
            encoded_megabytes_at_once=1,
        )
    )


def files_are_held(shared: DecodingBudget) -> AbstractContextManager[None]:
    return shared.encoded(1_000_000)


def pixels_are_held(shared: DecodingBudget) -> AbstractContextManager[None]:
    return shared.whole(1_000_000)


@pytest.mark.parametrize(
    ("held", "media_format", "encoded"),
    [
        (files_are_held, MediaFormat.JPEG, encode()),
        (files_are_held, MediaFormat.HEIC, heic()),
        (pixels_are_held, MediaFormat.HEIC, heic()),
        (pixels_are_held, MediaFormat.AVIF, encode(kind="AVIF")),
        (pixels_are_held, MediaFormat.BMP, encode(kind="BMP")),
        (pixels_are_held, MediaFormat.WEBP, encode(kind="WEBP")),
        (pixels_are_held, MediaFormat.JPEG, encode(progressive=True)),
        (pixels_are_held, MediaFormat.QUICKTIME, video()),
    ],
)
def test_decoding_waits_for_room(held: Held, media_format: MediaFormat, encoded: bytes) -> None:
    shared = budget()

    def develop() -> None:
        if media_format is MediaFormat.QUICKTIME:
            VideoDeveloper(budget=shared).develop(BytesIO(encoded), media_format)
        else:
            developer = PictureDeveloper(budget=shared)
            developer.develop(BytesIO(encoded), media_format, UPRIGHT)

    assert_waits(shared, held, develop)


@pytest.mark.parametrize(
    ("media_format", "encoded"),
    [
        (MediaFormat.HEIC, heic()),
        (MediaFormat.WEBP, encode(kind="WEBP")),
        (MediaFormat.AVIF, encode(kind="AVIF")),
    ],
)
def test_headers_that_need_the_whole_file_wait_for_room(
    media_format: MediaFormat, encoded: bytes
) -> None:
    shared = budget()
    reader = FormatMetadataReader(budget=shared)
    assert_waits(shared, files_are_held, lambda: reader.read(BytesIO(encoded), media_format))


def assert_waits(shared: DecodingBudget, held: Held, act: Callable[[], object]) -> None:
    done = Event()

    def run() -> None:
        act()
        done.set()

    with held(shared):
        Thread(target=run, daemon=True).start()
        assert not done.wait(0.3)
    assert done.wait(20)
