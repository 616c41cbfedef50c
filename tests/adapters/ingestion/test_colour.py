"""Which profiles are sRGB, and pixels that are no colours."""

import struct
from io import BytesIO

import pytest
import pyvips
from PIL import Image

from adapters.ingestion.icc_profile import is_srgb
from application.ports.media_developer import DamagedMedium
from domain.library.media_type import MediaFormat
from domain.library.orientation import UPRIGHT
from domain.library.proxy import ProxyKind
from tests.adapters.ingestion.profiles import GAMMA_1, SRGB, with_curves
from tests.crawl.library import real_developer


def middle(encoded: bytes, media_format: MediaFormat) -> tuple[int, ...]:
    rendition = real_developer().develop(BytesIO(encoded), media_format, UPRIGHT)
    (proxy,) = (each for each in rendition.proxies if each.kind is ProxyKind.PREVIEW)
    image = Image.open(BytesIO(proxy.jpeg))
    color = image.getpixel((image.width // 2, image.height // 2))
    assert isinstance(color, tuple)
    return color


def table(points: int) -> bytes:
    values = [round(65_535 * _light(number / (points - 1))) for number in range(points)]
    return b"curv" + bytes(4) + struct.pack(f">I{points}H", points, *values)


def _light(value: float) -> float:
    """As IEC 61966-2-1 has it."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def test_srgb_is_known_by_what_it_does() -> None:
    assert is_srgb(SRGB)
    assert is_srgb(pyvips.Operation.call("profile_load", "srgb"))
    assert is_srgb(with_curves(table(1024)))
    assert is_srgb(with_curves(table(257)))
    # A gamma of 2.2 is all that small profiles have.
    assert is_srgb(with_curves(GAMMA_1.replace(b"\x01\x00", (563).to_bytes(2, "big"))))
    for other in (with_curves(GAMMA_1), with_curves(b"curv" + bytes(8)), b"", SRGB[:200]):
        assert not is_srgb(other)
    assert not is_srgb(pyvips.Operation.call("profile_load", "p3"))
    assert not is_srgb(b"sRGB" * 100)


def test_a_profile_that_only_bears_the_name_is_converted() -> None:
    out = BytesIO()
    # Linear light of 21.4 percent is what sRGB writes as a half.
    Image.new("RGB", (40, 40), (55, 55, 55)).save(out, "PNG", icc_profile=with_curves(GAMMA_1))
    assert middle(out.getvalue(), MediaFormat.PNG) == pytest.approx((128, 128, 128), abs=3)


@pytest.mark.parametrize(("mode", "color"), [("F", 0.5), ("I", 32_000)])
def test_numbers_that_are_no_colours_never_become_black_or_white(mode: str, color: float) -> None:
    out = BytesIO()
    Image.new(mode, (40, 40), color).save(out, "TIFF")
    with pytest.raises(DamagedMedium, match=r"^the picture has numbers for pixels"):
        middle(out.getvalue(), MediaFormat.TIFF)


def test_floating_point_colours_are_shown() -> None:
    half = pyvips.Image.black(40, 40, bands=3) + 0.214
    encoded = half.cast("float").copy(interpretation="scrgb").write_to_buffer(".tif")
    assert middle(encoded, MediaFormat.TIFF) == pytest.approx((128, 128, 128), abs=3)


def test_lab_is_said_to_be_unknown() -> None:
    out = BytesIO()
    Image.new("LAB", (40, 40)).save(out, "TIFF")
    with pytest.raises(DamagedMedium, match=r"coded as L\*a\*b\*, which is not read$"):
        middle(out.getvalue(), MediaFormat.TIFF)
