"""Formats that are decoded whole are refused by the memory that they take."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
import pyvips
from PIL import Image

from adapters.ingestion.decoding_budget import DecodingBudget, DecodingLimits
from adapters.ingestion.picture_developer import PictureDeveloper
from application.ports.media_developer import TooManyPixels
from domain.library.media_type import format_of
from domain.library.orientation import UPRIGHT
from domain.library.proxy import Rendition
from tests.crawl.heic import heic

SIDE = 1000


def encoded(suffix: str, *, alpha: bool = False, depth: str = "uchar", **options: Any) -> bytes:
    plain = pyvips.Image.black(SIDE, SIDE, bands=4 if alpha else 3).cast(depth)
    kind = "srgb" if depth == "uchar" else "rgb16"
    written: bytes = plain.copy(interpretation=kind).write_to_buffer(suffix, **options)
    return written


def bmp() -> bytes:
    out = BytesIO()
    Image.new("P", (SIDE, SIDE)).save(out, "BMP")
    return out.getvalue()


# What a megapixel takes, in megabytes, as it was measured; the file comes on top.
COSTS: dict[str, tuple[Callable[[], bytes], float]] = {
    "WebP": (lambda: encoded(".webp"), 9.0),
    "WebP with alpha": (lambda: encoded(".webp", alpha=True), 11.0),
    "GIF": (lambda: encoded(".gif"), 5.5),
    "interlaced PNG": (lambda: encoded(".png", interlace=True), 4.5),
    "interlaced PNG with alpha": (lambda: encoded(".png", interlace=True, alpha=True), 5.5),
    "interlaced PNG of 16 bits": (lambda: encoded(".png", interlace=True, depth="ushort"), 7.5),
    "progressive JPEG": (lambda: encoded(".jpg", interlace=True), 4.5),
    "progressive JPEG, 4:4:4": (
        lambda: encoded(".jpg", interlace=True, subsample_mode="off"),
        7.5,
    ),
    "BMP": (bmp, 7.0),
    "HEIC": (lambda: heic(claimed=(SIDE, SIDE)), 8.0),
}


@pytest.mark.parametrize(("make", "megabytes"), COSTS.values(), ids=COSTS)
def test_each_format_has_its_cost(make: Callable[[], bytes], megabytes: float) -> None:
    file = make()
    with pytest.raises(TooManyPixels):
        develop(file, megabytes - 0.01)
    if b"ftyp" not in file[:12]:  # whose frame is smaller than it claims
        assert size_of(develop(file, megabytes + len(file) / 1_000_000 + 0.01)) == (SIDE, SIDE)


def test_what_is_read_strip_by_strip_costs_nothing() -> None:
    for suffix in (".png", ".jpg", ".tif"):
        assert size_of(develop(encoded(suffix), 0.01)) == (SIDE, SIDE)


def develop(file: bytes, limit: float) -> Rendition:
    limits = DecodingLimits(
        megapixels=300,
        whole_megabytes=limit,
        whole_megabytes_at_once=100,
        encoded_megabytes_at_once=100,
    )
    media_format = format_of(file[:256])
    assert media_format is not None
    developer = PictureDeveloper(budget=DecodingBudget(limits))
    return developer.develop(BytesIO(file), media_format, UPRIGHT)


def size_of(rendition: Rendition) -> tuple[int, int]:
    return rendition.width, rendition.height
