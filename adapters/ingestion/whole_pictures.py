"""Pictures of formats that are decoded whole, handed over to libvips as pixels."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Final

import pyvips
from PIL import Image

from adapters.ingestion.broken_blocks import BROKEN
from adapters.ingestion.colour import PROFILE
from adapters.ingestion.heif_boxes import declared_size, meta_boxes
from adapters.ingestion.heif_file import opened_heif
from application.ports.media_developer import DamagedMedium, TooManyPixels
from domain.library.proxy import ProxyKind, longest_side

DAMAGED: Final = "the picture is damaged or cut off"
PILLOW_FORMATS: Final = ("AVIF", "BMP", "DIB")
LARGEST: Final = longest_side(ProxyKind.PREVIEW)
MODES: Final = frozenset({"L", "LA", "RGB", "RGBA"})


@dataclass(frozen=True, slots=True)
class WholePicture:
    """A picture whose header was read."""

    size: tuple[int, int]
    """Width and height."""
    has_alpha: bool
    decode: Callable[[], pyvips.Image]
    """The picture, perhaps scaled down to a preview's size; raises DamagedMedium."""


def claimed_size(encoded: bytes) -> tuple[int, int]:
    """Width and height that a HEIC or AVIF claims; decoders have limits of their own."""
    return declared_size(meta_boxes(encoded))


def heic(encoded: bytes) -> WholePicture:
    """By libheif, which turns the picture as its container says."""
    try:
        file = opened_heif(encoded)
        size = file.size
    except BROKEN as error:
        raise DamagedMedium(DAMAGED) from error

    def decode() -> pyvips.Image:
        try:
            pixels, mode, stride = file.data, file.mode, file.stride
        except BROKEN as error:
            raise DamagedMedium(DAMAGED) from error
        bands = len(mode)
        image = pyvips.Image.new_from_memory(pixels, stride // bands, size[1], bands, "uchar")
        return _profiled(image.crop(0, 0, *size), bands, file.info.get("icc_profile"))

    return WholePicture(size, file.has_alpha, decode)


def by_pillow(encoded: bytes) -> WholePicture:
    """AVIF and BMP."""
    try:
        image = Image.open(BytesIO(encoded), formats=PILLOW_FORMATS)
    except Image.DecompressionBombError as error:
        raise TooManyPixels(str(error)) from error
    except BROKEN as error:
        raise DamagedMedium(DAMAGED) from error

    def decode() -> pyvips.Image:
        try:
            plain = image if image.mode in MODES else image.convert("RGB")
            # Scaled here already: its pixels would be in memory three times over otherwise.
            plain.thumbnail((LARGEST, LARGEST), Image.Resampling.LANCZOS)
            pixels = plain.tobytes()
        except BROKEN as error:
            raise DamagedMedium(DAMAGED) from error
        bands = len(plain.mode)
        loaded = pyvips.Image.new_from_memory(pixels, *plain.size, bands, "uchar")
        return _profiled(loaded, bands, image.info.get("icc_profile"))

    return WholePicture((image.width, image.height), "A" in image.mode, decode)


def _profiled(image: pyvips.Image, bands: int, profile: object) -> pyvips.Image:
    tagged = image.copy(interpretation="srgb" if bands > len("LA") else "b-w")
    if isinstance(profile, bytes) and profile:
        tagged.set_type(pyvips.GValue.blob_type, PROFILE, profile)
    return tagged
