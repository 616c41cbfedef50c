"""What decoding takes, from what a header says. The figures are those that were measured."""

import pytest
import pyvips

from adapters.ingestion.decoding_costs import bytes_in_vips, frame_bytes, whole_bytes
from domain.library.media_type import MediaFormat

MEGAPIXEL = (1000, 1000)


@pytest.mark.parametrize(
    ("media_format", "opaque", "transparent"),
    [
        (MediaFormat.AVIF, 11_000_000, 13_500_000),
        (MediaFormat.HEIC, 8_000_000, 11_000_000),
        (MediaFormat.BMP, 7_000_000, 8_000_000),
        (MediaFormat.WEBP, 9_000_000, 11_000_000),
        (MediaFormat.GIF, 5_500_000, 5_500_000),
    ],
)
def test_a_megapixel_of_what_is_decoded_whole(
    media_format: MediaFormat, opaque: int, transparent: int
) -> None:
    assert whole_bytes(media_format, MEGAPIXEL, has_alpha=False) == opaque
    assert whole_bytes(media_format, MEGAPIXEL, has_alpha=True) == transparent
    assert whole_bytes(media_format, (500, 20), has_alpha=False) == opaque / 100


def test_half_a_byte_is_rounded() -> None:
    assert whole_bytes(MediaFormat.GIF, (3, 1), has_alpha=False) == 16


def test_a_frame_of_a_video() -> None:
    assert frame_bytes(1920, 1080) == 33_177_600


def header(
    bands: int = 3,
    depth: str = "uchar",
    *,
    interlaced: bool = True,
    subsampling: str | None = None,
    pages: int = 1,
) -> pyvips.Image:
    """What libvips says of a file of a megapixel, without any pixels."""
    image = pyvips.Image.black(1000, 1000 * pages, bands=bands).cast(depth)
    kind = "srgb" if depth == "uchar" else "rgb16"
    image = image.copy(interpretation=kind if bands > 2 else "b-w")
    if interlaced:
        image.set_type(pyvips.GValue.gint_type, "interlaced", 1)
    if subsampling is not None:
        image.set_type(pyvips.GValue.gstr_type, "jpeg-chroma-subsample", subsampling)
    if pages > 1:
        image.set_type(pyvips.GValue.gint_type, "page-height", 1000)
    return image


def test_what_is_read_strip_by_strip_takes_nothing() -> None:
    for media_format in (MediaFormat.PNG, MediaFormat.JPEG, MediaFormat.TIFF):
        assert bytes_in_vips(header(interlaced=False), media_format) == 0
    assert bytes_in_vips(header(interlaced=False, subsampling="4:2:0"), MediaFormat.JPEG) == 0


@pytest.mark.parametrize(
    ("bands", "media_format", "expected"),
    [
        (3, MediaFormat.WEBP, 9_000_000),
        (4, MediaFormat.WEBP, 11_000_000),
        (4, MediaFormat.GIF, 5_500_000),
    ],
)
def test_what_libvips_decodes_whole_costs_its_first_page(
    bands: int, media_format: MediaFormat, expected: int
) -> None:
    assert bytes_in_vips(header(bands, interlaced=False), media_format) == expected
    assert bytes_in_vips(header(bands, interlaced=False, pages=3), media_format) == expected


# Its pixels, and one and a half bytes of each beside them.
@pytest.mark.parametrize(
    ("bands", "depth", "expected"),
    [
        (1, "uchar", 2_500_000),
        (3, "uchar", 4_500_000),
        (4, "uchar", 5_500_000),
        (3, "ushort", 7_500_000),
        (3, "float", 13_500_000),
    ],
)
def test_an_interlaced_picture_is_in_memory_as_a_whole(
    bands: int, depth: str, expected: int
) -> None:
    assert bytes_in_vips(header(bands, depth), MediaFormat.PNG) == expected


# A progressive JPEG: two bytes for each number, of which a pixel has one and a half with 4:2:0.
@pytest.mark.parametrize(
    ("bands", "subsampling", "expected"),
    [
        (3, "4:2:0", 4_500_000),
        (3, "4:4:4", 7_500_000),
        (4, "4:4:4", 9_500_000),
        (1, "4:4:4", 3_500_000),
    ],
)
def test_a_progressive_jpeg_is_in_memory_as_coefficients(
    bands: int, subsampling: str, expected: int
) -> None:
    found = header(bands, subsampling=subsampling)
    assert bytes_in_vips(found, MediaFormat.JPEG) == expected
