"""What the decoders may take of this process, set before the first picture.

What concerns the C library's memory must stand in the environment that the process is started with:
`DECODER_ENVIRONMENT` of the Worker.
"""

import ctypes
import logging
import warnings
from collections.abc import Sequence
from pathlib import Path

import av.logging
import pi_heif
import pyvips
from PIL import Image

from adapters.ingestion.vips_errors import take_any_text

LOG = logging.getLogger(__name__)
THREADS = 1
LARGEST_ALLOCATION = 256 * 1024 * 1024
"""Of FFmpeg, in one piece: above a plane of the largest frame that is decoded."""


def limit_decoders(max_megapixels: float) -> None:
    """One thread a picture, no cache of results, Pillow's own limit moved to ours, no chatter."""
    # What they warn of ends as a failed file or a null; the warnings would only name offsets.
    logging.getLogger("pyvips").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore", module=r"PIL\.")
    warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
    take_any_text()
    pyvips.concurrency_set(THREADS)
    pyvips.cache_set_max(0)
    pyvips.cache_set_max_mem(0)
    pyvips.cache_set_max_files(0)
    pi_heif.options.DECODE_THREADS = THREADS
    pi_heif.options.THUMBNAILS = False
    pi_heif.options.DEPTH_IMAGES = False
    pi_heif.options.AUX_IMAGES = False
    av.logging.set_level(av.logging.PANIC)
    libraries = ffmpeg_memory()
    if not libraries:
        LOG.warning("FFmpeg's memory has no limit: its library is not where it was looked for")
    for library in libraries:
        library.av_max_alloc(ctypes.c_size_t(LARGEST_ALLOCATION))
    Image.MAX_IMAGE_PIXELS = round(max_megapixels * 1_000_000)


def ffmpeg_memory() -> Sequence[ctypes.CDLL]:
    """The part of FFmpeg that allocates, wherever it is loaded from; PyAV has no door to its limit.

    A damaged header of 209 bytes claims a table of a gigabyte, and gets it without a limit.
    """
    maps = Path("/proc/self/maps").read_text().splitlines()
    libraries = {line.split(maxsplit=5)[5] for line in maps if "/libavutil" in line}
    return [ctypes.CDLL(library) for library in libraries]
