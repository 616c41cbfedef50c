"""Decoders wait for the room that others have: in memory, nothing is decoded beside it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from io import BytesIO
from threading import Event, Thread
from typing import TypeVar

import pytest
from PIL import ExifTags, Image

from adapters.ingestion.decoding_budget import DecodingBudget, DecodingLimits
from adapters.ingestion.metadata_reader import FormatMetadataReader
from adapters.ingestion.picture_developer import PictureDeveloper
from adapters.ingestion.video_developer import VideoDeveloper
from domain.library.media_type import MediaFormat
from domain.library.orientation import UPRIGHT
from domain.library.proxy import Rendition
from tests.crawl.heic import SIDE, exif_block, heic
from tests.crawl.pictures import encode
from tests.crawl.videos import video

Held = Callable[[DecodingBudget], AbstractContextManager[None]]
T = TypeVar("T")
MADE_BY = Image.Exif()
MADE_BY[ExifTags.Base.Make] = "Maker"


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

    def develop() -> Rendition:
        if media_format is MediaFormat.QUICKTIME:
            return VideoDeveloper(budget=shared).develop(BytesIO(encoded), media_format)
        developer = PictureDeveloper(budget=shared)
        return developer.develop(BytesIO(encoded), media_format, UPRIGHT)

    rendition = after_waiting(shared, held, develop)
    height = SIDE if media_format is MediaFormat.HEIC else 48
    assert (rendition.width, rendition.height) == (64, height)


@pytest.mark.parametrize(
    ("media_format", "encoded"),
    [
        (MediaFormat.HEIC, heic(exif=exif_block(MADE_BY))),
        (MediaFormat.WEBP, encode(kind="WEBP", exif=MADE_BY)),
        (MediaFormat.AVIF, encode(kind="AVIF", exif=MADE_BY)),
    ],
)
def test_headers_that_need_the_whole_file_wait_for_room(
    media_format: MediaFormat, encoded: bytes
) -> None:
    shared = budget()
    reader = FormatMetadataReader(budget=shared)
    raw = after_waiting(shared, files_are_held, lambda: reader.read(BytesIO(encoded), media_format))
    assert raw.make == b"Maker"


def after_waiting(shared: DecodingBudget, held: Held, act: Callable[[], T]) -> T:
    """What comes of it, once the room is free; nothing does before."""
    done, results = Event(), list[T]()

    def run() -> None:
        results.append(act())
        done.set()

    with held(shared):
        Thread(target=run, daemon=True).start()
        assert not done.wait(0.3)
    assert done.wait(20)
    return results[0]
