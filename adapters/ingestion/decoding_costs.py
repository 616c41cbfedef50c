"""What decoding a picture whole takes, measured with 24 megapixels and rounded up.

tests/benchmarks/decoder_memory.py measures it again.
"""

from typing import Final

import pyvips

from domain.library.media_type import MediaFormat

BYTES_A_PIXEL: Final = {
    MediaFormat.AVIF: (11.0, 13.5),
    MediaFormat.HEIC: (8.0, 11.0),
    MediaFormat.BMP: (7.0, 8.0),
    MediaFormat.WEBP: (9.0, 11.0),
    MediaFormat.GIF: (5.5, 5.5),
}
"""Of an opaque picture, and of one with transparency."""
FRAME_BYTES_A_PIXEL: Final = 16
"""Of a video: the decoder's frames, the poster's, and its pixels."""
JPEG_COEFFICIENT_BYTES: Final = 2
HALVED_COLOURS: Final = 1.5
"""Numbers a pixel where the colours have half the resolution."""
BESIDES: Final = 1.5
"""Of what is interlaced: what libvips takes beside the picture."""
INTERLACED: Final = "interlaced"
SUBSAMPLING: Final = "jpeg-chroma-subsample"
WIDTH_OF_SAMPLES: Final = {"uchar": 1, "ushort": 2}


def whole_bytes(media_format: MediaFormat, size: tuple[int, int], *, has_alpha: bool) -> int:
    """For the formats that are always decoded whole."""
    opaque, transparent = BYTES_A_PIXEL[media_format]
    return round(size[0] * size[1] * (transparent if has_alpha else opaque))


def frame_bytes(width: int, height: int) -> int:
    """For one frame of a video."""
    return width * height * FRAME_BYTES_A_PIXEL


def bytes_in_vips(header: pyvips.Image, media_format: MediaFormat) -> int:
    """0 for what libvips reads strip by strip."""
    width, height = int(header.width), int(header.get_page_height())
    if media_format in BYTES_A_PIXEL:
        return whole_bytes(media_format, (width, height), has_alpha=header.hasalpha())
    if not header.get_typeof(INTERLACED):
        return 0
    return round(width * height * (_interlaced_bytes_a_pixel(header) + BESIDES))


def _interlaced_bytes_a_pixel(header: pyvips.Image) -> float:
    bands = float(header.bands)
    if header.get_typeof(SUBSAMPLING):
        is_halved = header.get(SUBSAMPLING) == "4:2:0"
        return JPEG_COEFFICIENT_BYTES * (HALVED_COLOURS if is_halved else bands)
    return bands * WIDTH_OF_SAMPLES.get(header.format, 4)
