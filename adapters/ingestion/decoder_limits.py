"""What the decoders may take of this process, set before the first picture.

MALLOC_ARENA_MAX=2 must stand in the environment that the process is started with; together they
keep four threads near 235 MB.
"""

import logging

import pyvips
from PIL import Image

VIPS_THREADS = 1


def limit_decoders(max_megapixels: float) -> None:
    """One thread a picture, no cache of results, and Pillow's own limit moved to ours."""
    # What it warns of ends as a failed file; the warnings themselves would only name offsets.
    logging.getLogger("pyvips").setLevel(logging.ERROR)
    pyvips.concurrency_set(VIPS_THREADS)
    pyvips.cache_set_max(0)
    pyvips.cache_set_max_mem(0)
    pyvips.cache_set_max_files(0)
    Image.MAX_IMAGE_PIXELS = round(max_megapixels * 1_000_000)
