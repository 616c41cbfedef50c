"""Tells files that were cut off, or whose copying is under way, from whole ones.

Decoders take what is there and fill the rest with grey, black or what was there before.
"""

from collections.abc import Callable, Mapping
from typing import Final

from adapters.ingestion.gif_blocks import refuse_gaps_in_gif
from adapters.ingestion.heif_integrity import refuse_incomplete
from adapters.ingestion.tiff_integrity import refuse_incomplete_tiff
from adapters.ingestion.zero_runs import refuse_gaps_in_webp, refuse_holes_in_jpeg
from domain.library.media_type import MediaFormat

CHECKS: Final[Mapping[MediaFormat, Callable[[bytes], None]]] = {
    MediaFormat.AVIF: refuse_incomplete,
    MediaFormat.HEIC: refuse_incomplete,
    MediaFormat.GIF: refuse_gaps_in_gif,
    MediaFormat.JPEG: refuse_holes_in_jpeg,
    MediaFormat.TIFF: refuse_incomplete_tiff,
    MediaFormat.WEBP: refuse_gaps_in_webp,
}
"""A PNG has checksums. Zeros are pixels in a BMP, and nothing else in it can be checked."""


def refuse_gaps(encoded: bytes, media_format: MediaFormat) -> None:
    """Raise DamagedMedium where pixels are missing from the file, as far as the format shows it."""
    check = CHECKS.get(media_format)
    if check is not None:
        check(encoded)
