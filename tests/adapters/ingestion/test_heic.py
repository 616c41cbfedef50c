"""HEIC and AVIF: turned once, whole or damaged, and not larger than can be decoded."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from adapters.ingestion.heif_boxes import BrokenBoxes, extents
from adapters.ingestion.metadata_reader import FormatMetadataReader
from application.ports.media_developer import DamagedMedium, TooManyPixels
from domain.library.media_type import MediaFormat, format_of
from domain.library.orientation import UPRIGHT
from domain.library.proxy import ProxyKind, Rendition
from tests.adapters.ingestion.profiles import GAMMA_1, SRGB, with_curves
from tests.crawl.heic import BLUE, GREEN, RED, SIDE, YELLOW, exif_block, heic
from tests.crawl.library import real_budget, real_developer


def develop(encoded: bytes, limit: float = 300) -> Rendition:
    media_format = format_of(encoded[:256])
    assert media_format is not None
    return real_developer(limit).develop(BytesIO(encoded), media_format, UPRIGHT)


def corners(rendition: Rendition) -> list[Any]:
    (proxy,) = (each for each in rendition.proxies if each.kind is ProxyKind.PREVIEW)
    image = Image.open(BytesIO(proxy.jpeg))
    far = SIDE - 5
    return [image.getpixel(place) for place in ((4, 4), (far, 4), (4, far), (far, far))]


def near(found: list[Any], expected: list[tuple[int, int, int]]) -> bool:
    return all(
        abs(one - other) <= 15
        for pair in zip(found, expected, strict=True)
        for one, other in zip(*pair, strict=True)
    )


def noise(kind: str, **options: Any) -> bytes:
    out = BytesIO()
    Image.effect_noise((320, 240), 90).convert("RGB").save(out, kind, **options)
    return out.getvalue()


def test_a_heic_is_decoded_as_it_is_meant() -> None:
    rendition = develop(heic())
    assert (rendition.width, rendition.height) == (SIDE, SIDE)
    assert near(corners(rendition), [RED, GREEN, BLUE, YELLOW])


def test_a_heic_s_colours_are_what_its_profile_says() -> None:
    """Of linear light: 30 of 255 is what sRGB writes as 96, and 220 as 239."""
    rendition = develop(heic(profile=with_curves(GAMMA_1)))
    red, green, *_ = corners(rendition)
    assert near([red, green], [(239, 96, 96), (96, 229, 96)])
    assert near(corners(develop(heic(profile=SRGB))), [RED, GREEN, BLUE, YELLOW])


@pytest.mark.parametrize("odd", [b"\xffxif\x00", b"Exi\xe6\x00"])
def test_an_item_whose_kind_is_no_text_ends_no_process(odd: bytes) -> None:
    block = Image.Exif()
    block[0x010F] = "Maker"
    whole = heic(exif=exif_block(block))
    strange = whole.replace(b"Exif\x00", odd, 1)
    assert strange != whole
    assert near(corners(develop(strange)), [RED, GREEN, BLUE, YELLOW])
    assert (
        FormatMetadataReader(budget=real_budget()).read(BytesIO(strange), MediaFormat.HEIC).make
        is None
    )
    assert (
        FormatMetadataReader(budget=real_budget()).read(BytesIO(whole), MediaFormat.HEIC).make
        == b"Maker"
    )


def test_what_the_container_turns_is_turned_once() -> None:
    rendition = develop(heic(quarter_turns=1))
    assert near(corners(rendition), [GREEN, YELLOW, RED, BLUE])
    assert rendition.orientation == UPRIGHT


@pytest.mark.parametrize("brand", [b"heic", b"mif1"])
def test_a_heic_is_known_by_its_brands(brand: bytes) -> None:
    assert format_of(heic(brand=brand)[:256]) is MediaFormat.HEIC


@pytest.mark.parametrize("kept", [40, 200, 330, 350, 400])
def test_a_heic_that_is_cut_off_is_damaged(kept: int) -> None:
    whole = heic()
    with pytest.raises(DamagedMedium):
        develop(whole[:kept])


def test_a_heic_whose_end_is_not_copied_yet_is_damaged() -> None:
    whole = heic()
    at = whole.index(b"mdat") + 60
    with pytest.raises(DamagedMedium, match=r"^the picture has gaps$"):
        develop(whole[:at] + bytes(len(whole) - at))


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9, 0.99])
def test_an_avif_that_is_cut_off_is_damaged(kept: float) -> None:
    whole = noise("AVIF")
    assert develop(whole).width == 320
    cut = int(len(whole) * kept)
    with pytest.raises(DamagedMedium):
        develop(whole[:cut])
    if len(whole) - cut > 256:
        with pytest.raises(DamagedMedium):
            develop(whole[:cut] + bytes(len(whole) - cut))


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9, 0.99])
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("BMP", {}),
        ("TIFF", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("TIFF", {"compression": "jpeg"}),
    ],
)
def test_scans_that_are_cut_off_are_damaged(
    kind: str, options: dict[str, str], kept: float
) -> None:
    whole = noise(kind, **options)
    assert develop(whole).height == 240
    with pytest.raises(DamagedMedium):
        develop(whole[: int(len(whole) * kept)])


def test_a_size_that_no_decoder_takes_is_refused_before_it_gets_it() -> None:
    with pytest.raises(TooManyPixels, match=r"^decoding it takes more than 540 MB$"):
        develop(heic(claimed=(10_001, 10_000)))
    with pytest.raises(TooManyPixels, match=r"^more than 1 megapixels$"):
        develop(heic(claimed=(1_001, 1_000)), limit=1)


def with_place(offset: int) -> bytes:
    """65,535 in the table that says where the pixels are, or in the box behind it."""
    whole = bytearray(heic())
    at = whole.index(b"iloc") + 4 + offset
    whole[at : at + 2] = b"\xff\xff"
    return bytes(whole)


# The table's flags, and in which other file a place is.
READ_BY_NOBODY = (2, 10)


@pytest.mark.parametrize("offset", [n for n in range(0, 32, 2) if n not in READ_BY_NOBODY])
def test_numbers_that_lead_nowhere_are_damage(offset: int) -> None:
    with pytest.raises(DamagedMedium, match=r"cut off$"):
        develop(with_place(offset))


@pytest.mark.parametrize("offset", READ_BY_NOBODY)
def test_numbers_that_nobody_reads_do_no_harm(offset: int) -> None:
    assert near(corners(develop(with_place(offset))), [RED, GREEN, BLUE, YELLOW])


def test_tables_without_an_end_are_damage() -> None:
    """A few bytes that claim a thousand million places of no width."""
    count, items = b"\xff\xff", b"\x00\x01\x00\x00\xff\xff" * 65_535
    table = memoryview(bytes(4) + b"\x00\x00" + count + items)
    with pytest.raises(BrokenBoxes):
        for _ in extents({b"iloc": table}):
            pass
