"""Files that were cut off, or whose copying is under way: damaged, and never half a picture."""

import struct
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
import pyvips
from PIL import Image

from application.ports.media_developer import DamagedMedium
from domain.library.media_type import MediaFormat, format_of
from domain.library.orientation import UPRIGHT
from domain.library.proxy import Rendition
from tests.crawl.library import real_developer

BLOCK = 4096


def develop(encoded: bytes) -> Rendition:
    media_format = format_of(encoded[:256])
    assert media_format is not None
    return real_developer().develop(BytesIO(encoded), media_format, UPRIGHT)


def noise() -> Image.Image:
    return Image.effect_noise((640, 480), 90).convert("RGB")


def by_pillow(kind: str, **options: Any) -> bytes:
    out = BytesIO()
    noise().save(out, kind, **options)
    return out.getvalue()


def by_vips(suffix: str, **options: Any) -> bytes:
    pixels = noise().tobytes()
    image = pyvips.Image.new_from_memory(pixels, 640, 480, 3, "uchar")
    encoded: bytes = image.copy(interpretation="srgb").write_to_buffer(suffix, **options)
    return encoded


def with_zeros(encoded: bytes, begin: int, length: int) -> bytes:
    length = min(length, len(encoded) - begin)
    return encoded[:begin] + bytes(length) + encoded[begin + length :]


TIFFS = {
    "strips": lambda: by_vips(".tif", compression="jpeg"),
    "tiles": lambda: by_vips(".tif", compression="deflate", tile=True),
    "BigTIFF": lambda: by_vips(".tif", compression="lzw", bigtiff=True),
    "plain": lambda: by_vips(".tif"),
}


@pytest.mark.parametrize("make", TIFFS.values(), ids=TIFFS)
def test_a_tiff_whose_end_is_missing_is_damaged(make: Callable[[], bytes]) -> None:
    whole = make()
    assert develop(whole).width == 640
    for missing in (1, 2, 20, len(whole) // 2):
        with pytest.raises(DamagedMedium, match=r"^the picture is cut off$"):
            develop(whole[:-missing])


def test_a_directory_at_the_end_may_not_be_cut_off() -> None:
    """Its last four bytes say where the next directory is."""
    whole = motorola_tiff()
    count = struct.unpack_from(">H", whole, 8)[0]
    directory = whole[8 : 8 + 2 + 12 * count + 4]
    moved = whole[:4] + struct.pack(">I", len(whole)) + whole[8:].rjust(len(whole) - 8) + directory
    assert develop(moved).width == 8
    for missing in (1, 4, 5, len(directory)):
        with pytest.raises(DamagedMedium, match=r"^the picture is cut off$"):
            develop(moved[:-missing])


def motorola_tiff(*, strip_at: int = 200, count_at: int = 8) -> bytes:
    """Big-endian, 8 by 8 grey pixels, whose only strip lies at `strip_at`."""
    numbers = [(256, 3, 8), (257, 3, 8), (258, 3, 8), (259, 3, 1), (262, 3, 1)]
    places = [(273, 4, strip_at), (277, 3, 1), (278, 3, 8), (279, 4, 64)]
    entries = b"".join(
        struct.pack(">HHIHH", tag, kind, 1, value, 0)
        if kind == 3
        else struct.pack(">HHII", tag, kind, 1, value)
        for tag, kind, value in numbers + places
    )
    directory = struct.pack(">H", len(numbers + places)) + entries + bytes(4)
    start = b"MM\x00\x2a" + struct.pack(">I", count_at) + directory
    return start.ljust(200, b"\x00") + b"\x80" * 64


def test_the_other_order_of_bytes_is_understood() -> None:
    assert develop(motorola_tiff()).width == 8
    for broken in (motorola_tiff(strip_at=201), motorola_tiff(count_at=260)):
        with pytest.raises(DamagedMedium, match=r"^the picture is cut off$"):
            develop(broken)
    with pytest.raises(DamagedMedium, match=r"^the picture has gaps$"):
        develop(motorola_tiff(strip_at=0))


@pytest.mark.parametrize("compression", ["lzw", "deflate", "packbits"])
def test_an_empty_block_of_a_compressed_tiff_is_a_gap(compression: str) -> None:
    whole = by_vips(".tif", compression=compression)
    with pytest.raises(DamagedMedium, match=r"^the picture has gaps$"):
        develop(with_zeros(whole, 20 * BLOCK, BLOCK))


TAILS = {
    "GIF": lambda: by_pillow("GIF"),
    "lossy WebP": lambda: by_pillow("WEBP", quality=90),
    "lossless WebP": lambda: by_pillow("WEBP", lossless=True),
}


@pytest.mark.parametrize("make", TAILS.values(), ids=TAILS)
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_tail_of_zeros_is_a_gap(make: Callable[[], bytes], kept: float) -> None:
    whole = make()
    assert develop(whole).width == 640
    with pytest.raises(DamagedMedium):
        develop(with_zeros(whole, int(len(whole) * kept), len(whole)))


@pytest.mark.parametrize("make", TAILS.values(), ids=TAILS)
def test_zeros_behind_the_end_do_no_harm(make: Callable[[], bytes]) -> None:
    whole = make()
    assert develop(whole + bytes(5_000)) == develop(whole)


def test_the_first_picture_of_a_gif_is_enough() -> None:
    out = BytesIO()
    noise().save(out, "GIF", save_all=True, append_images=[noise()])
    whole = out.getvalue()
    first = develop(with_zeros(whole, int(len(whole) * 0.9), len(whole)))
    assert first == develop(whole)
    assert (first.width, first.height) == (640, 480)


def test_transparency_that_is_not_packed_may_be_zeros() -> None:
    """ALPH says with its first byte how it is packed; 0 is plain pixels."""
    size = (128, 64)
    out = BytesIO()
    Image.new("RGBA", size, (10, 200, 30, 90)).save(out, "WEBP", quality=80)
    whole = out.getvalue()
    at = whole.index(b"ALPH")
    length = int.from_bytes(whole[at + 4 : at + 8], "little")
    pixels = b"\x00" + bytes(size[0] * size[1]) + b"\x00"
    chunk = b"ALPH" + (len(pixels) - 1).to_bytes(4, "little") + pixels
    body = whole[12:at] + chunk + whole[at + 8 + length + length % 2 :]
    plain = b"RIFF" + (len(body) + 4).to_bytes(4, "little") + b"WEBP" + body
    assert develop(plain).width == size[0]


@pytest.mark.parametrize("progressive", [False, True])
def test_an_empty_block_of_a_jpeg_is_a_gap(*, progressive: bool) -> None:
    whole = by_pillow("JPEG", quality=95, progressive=progressive)
    assert develop(whole).width == 640
    for number in (4, 9):
        with pytest.raises(DamagedMedium, match=r"^the picture has gaps$"):
            develop(with_zeros(whole, number * BLOCK, BLOCK))


def test_a_plain_jpeg_may_have_long_runs_of_zeros() -> None:
    plain = pyvips.Image.black(4_000, 3_000, bands=3).copy(interpretation="srgb")
    for options in ({}, {"interlace": True}):
        encoded = plain.jpegsave_buffer(optimize_coding=True, **options)
        assert bytes(2 * BLOCK) in encoded
        assert develop(encoded).width == 4_000


def test_an_empty_block_outside_of_the_pixels_is_no_gap() -> None:
    whole = by_pillow("JPEG", quality=95)
    comment = b"\xff\xfe" + (3 * BLOCK + 2).to_bytes(2, "big") + b"x" * (BLOCK - 6)
    padded = whole[:2] + comment + bytes(2 * BLOCK + 6) + whole[2:]
    assert padded[BLOCK : 2 * BLOCK] == bytes(BLOCK)
    assert develop(padded).width == 640


def test_bmp_zeros_are_pixels() -> None:
    out = BytesIO()
    Image.new("RGB", (640, 480)).save(out, "BMP")
    assert real_developer().develop(BytesIO(out.getvalue()), MediaFormat.BMP, UPRIGHT).width == 640
