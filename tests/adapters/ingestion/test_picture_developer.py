"""Decoding pictures: colours, orientation, limits, damage."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageCms

from application.ports.media_developer import DamagedMedium, TooManyPixels
from domain.library.media_type import MediaFormat
from domain.library.orientation import orientation_of
from domain.library.proxy import Proxy, ProxyKind, Rendition
from tests.crawl.library import real_developer
from tests.crawl.pictures import encode, exif

RED, GREEN, BLUE, YELLOW = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)


def develop(
    encoded: bytes, kind: MediaFormat = MediaFormat.PNG, tag: int = 1, limit: float = 300
) -> Rendition:
    developer = real_developer(limit)
    return developer.develop(BytesIO(encoded), kind, orientation_of(tag))


def proxy(rendition: Rendition, kind: ProxyKind) -> Proxy:
    (found,) = (each for each in rendition.proxies if each.kind is kind)
    return found


def decoded(rendition: Rendition, kind: ProxyKind = ProxyKind.PREVIEW) -> Image.Image:
    image = Image.open(BytesIO(proxy(rendition, kind).jpeg))
    image.load()
    return image


def quadrants(tag: int) -> bytes:
    """A picture that shows red, green / blue, yellow once it is turned as the tag says."""
    upright = Image.new("RGB", (64, 48))
    for x, y, color in ((0, 0, RED), (32, 0, GREEN), (0, 24, BLUE), (32, 24, YELLOW)):
        upright.paste(color, (x, y, x + 32, y + 24))
    undo = {
        1: None,
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }[tag]
    stored = upright if undo is None else upright.transpose(undo)
    out = BytesIO()
    stored.save(out, "PNG")
    return out.getvalue()


def near(color: Any, expected: tuple[int, int, int], within: int = 12) -> bool:
    return all(abs(one - other) <= within for one, other in zip(color, expected, strict=True))


@pytest.mark.parametrize("tag", range(1, 9))
def test_every_orientation_is_shown_upright(tag: int) -> None:
    rendition = develop(quadrants(tag), tag=tag)
    assert (rendition.width, rendition.height) == (64, 48)
    image = decoded(rendition)
    assert image.size == (64, 48)
    corners = [image.getpixel(place) for place in ((6, 6), (57, 6), (6, 41), (57, 41))]
    for found, expected in zip(corners, (RED, GREEN, BLUE, YELLOW), strict=True):
        assert near(found, expected, within=40), corners


def test_proxies_have_their_size_and_carry_no_metadata() -> None:
    block = exif(base={0x010F: "Maker"}, gps={1: "N", 2: (1.0, 2.0, 3.0)})
    rendition = develop(encode(size=(4000, 2000), exif=block), MediaFormat.JPEG)
    assert (rendition.width, rendition.height) == (4000, 2000)
    for kind, size in ((ProxyKind.PREVIEW, (1920, 960)), (ProxyKind.THUMBNAIL, (300, 150))):
        made = proxy(rendition, kind)
        assert (made.width, made.height) == size
        image = decoded(rendition, kind)
        assert image.size == size
        assert not image.getexif()
        assert b"Exif" not in made.jpeg
        assert "icc_profile" not in image.info
    assert len(rendition.blurhash) == 4 + 2 * 12


def test_small_pictures_are_not_enlarged() -> None:
    rendition = develop(encode(size=(20, 10), kind="PNG"))
    assert [(each.width, each.height) for each in rendition.proxies] == [(20, 10), (20, 10)]


@pytest.mark.parametrize("size", [(1919, 100), (1920, 100), (3839, 200), (3840, 200), (7681, 400)])
def test_a_jpeg_of_any_size_becomes_a_preview_of_at_most_1920(size: tuple[int, int]) -> None:
    rendition = develop(encode(size=size), MediaFormat.JPEG)
    assert proxy(rendition, ProxyKind.PREVIEW).width == min(size[0], 1920)
    assert (rendition.width, rendition.height) == size


def test_transparency_is_flattened_on_white() -> None:
    out = BytesIO()
    Image.new("RGBA", (40, 40), (0, 0, 0, 0)).save(out, "PNG")
    assert near(decoded(develop(out.getvalue())).getpixel((20, 20)), (255, 255, 255))


@pytest.mark.parametrize(
    ("mode", "color", "kind", "expected"),
    [
        ("L", 128, "JPEG", (128, 128, 128)),
        ("LA", (128, 255), "PNG", (128, 128, 128)),
        ("1", 1, "PNG", (255, 255, 255)),
        ("I;16", 32_768, "PNG", (128, 128, 128)),
        ("P", 0, "PNG", (0, 0, 0)),
    ],
)
def test_every_kind_of_pixel_becomes_rgb(
    mode: str, color: Any, kind: str, expected: tuple[int, int, int]
) -> None:
    out = BytesIO()
    Image.new(mode, (40, 40), color).save(out, kind)
    image = decoded(develop(out.getvalue(), MediaFormat(kind.lower())))
    assert image.mode == "RGB"
    assert near(image.getpixel((20, 20)), expected)


def test_inverted_cmyk_becomes_the_color_that_was_meant() -> None:
    out = BytesIO()
    Image.new("CMYK", (40, 40), (0, 255, 255, 0)).save(out, "JPEG")
    red, green, blue = decoded(develop(out.getvalue(), MediaFormat.JPEG)).getpixel((20, 20))  # type: ignore[misc]
    assert red > 200
    assert max(green, blue) < 80


def test_a_wide_gamut_profile_is_converted_and_srgb_is_left_alone() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    plain = decoded(develop(encode((200, 100, 50), kind="PNG", icc_profile=srgb)))
    assert near(plain.getpixel((20, 20)), (200, 100, 50), within=4)
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ")).tobytes()
    converted = decoded(develop(encode((200, 100, 50), kind="PNG", icc_profile=lab)))
    assert converted.size == plain.size


def test_an_animation_shows_its_first_frame() -> None:
    out = BytesIO()
    first, second = Image.new("RGB", (40, 30), RED), Image.new("RGB", (40, 30), BLUE)
    first.save(out, "GIF", save_all=True, append_images=[second], duration=100)
    rendition = develop(out.getvalue(), MediaFormat.GIF)
    assert (rendition.width, rendition.height) == (40, 30)
    assert near(decoded(rendition).getpixel((20, 15)), RED)
    out = BytesIO()
    first.save(out, "WEBP", save_all=True, append_images=[second], duration=100, lossless=True)
    rendition = develop(out.getvalue(), MediaFormat.WEBP)
    assert (rendition.width, rendition.height) == (40, 30)
    assert near(decoded(rendition).getpixel((20, 15)), RED)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_truncated_picture_is_damaged_and_never_half_grey(kind: str, kept: float) -> None:
    image = Image.effect_noise((640, 480), 90).convert("RGB")
    out = BytesIO()
    image.save(out, kind)
    whole = out.getvalue()
    assert develop(whole, MediaFormat(kind.lower())).width == 640
    with pytest.raises(DamagedMedium, match=r"^the picture is damaged or cut off$"):
        develop(whole[: int(len(whole) * kept)], MediaFormat(kind.lower()))


def test_bytes_after_the_end_do_no_harm() -> None:
    whole = encode(size=(64, 48))
    assert develop(whole + b"\0" * 5000, MediaFormat.JPEG) == develop(whole, MediaFormat.JPEG)


def test_a_picture_over_the_limit_is_refused_before_it_is_decoded() -> None:
    at_the_limit = encode(size=(1000, 1000), kind="PNG")
    assert develop(at_the_limit, limit=1).width == 1000
    with pytest.raises(TooManyPixels, match=r"^more than 1 megapixels$"):
        develop(encode(size=(1001, 1000), kind="PNG"), limit=1)
