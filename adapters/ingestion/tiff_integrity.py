"""Tells a TIFF that was cut off: libvips fills what is missing of uncompressed strips."""

from io import BytesIO
from typing import Final

from PIL import Image

from adapters.ingestion.broken_blocks import BROKEN
from application.ports.media_developer import DamagedMedium

PLACES: Final = ((273, 279), (324, 325))
"""Tags of the offsets and lengths: of strips, of tiles."""


def refuse_incomplete_tiff(encoded: bytes) -> None:
    """Raise DamagedMedium where the header names pixels beyond the end of the file."""
    try:
        with Image.open(BytesIO(encoded), formats=("TIFF",)) as image:
            tags = dict(image.getexif())
    except BROKEN:
        return  # libvips reads more than Pillow does, and says what is wrong with the rest
    for offsets, lengths in PLACES:
        ends = [
            offset + length
            for offset, length in zip(
                _all(tags.get(offsets)), _all(tags.get(lengths)), strict=False
            )
        ]
        if max(ends, default=0) > len(encoded):
            raise DamagedMedium("the picture is cut off")


def _all(value: object) -> tuple[int, ...]:
    values = value if isinstance(value, tuple) else (value,)
    return tuple(each for each in values if isinstance(each, int))
