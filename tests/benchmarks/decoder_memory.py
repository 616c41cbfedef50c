"""What four threads take while they crawl pictures of 24 megapixels."""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from uuid import uuid4

from tests.benchmarks.crawler import MEGABYTE, crawler
from tests.benchmarks.installation import Installation
from tests.benchmarks.pictures import MEGAPIXELS_24, WRITERS, write_jpegs, write_pictures
from tests.benchmarks.table import Row, at_most

PHOTOS = 16
THREADS = 4
MOST_MB = 400


# Each writes a folder of pictures; another format is another line.
FILES: dict[str, Callable[[Path], object]] = {
    "baseline JPEG": lambda folder: write_jpegs(folder, PHOTOS, MEGAPIXELS_24),
    "progressive JPEG": lambda folder: write_jpegs(folder, PHOTOS, MEGAPIXELS_24, progressive=True),
    "progressive JPEG, 4:4:4": lambda folder: write_jpegs(
        folder, PHOTOS, MEGAPIXELS_24, progressive=True, full_colour=True
    ),
} | {
    name: partial(write_pictures, count=PHOTOS // 2, size=MEGAPIXELS_24, write=write)
    for name, write in WRITERS.items()
}


def measure(installation: Installation, _runs: int) -> list[Row]:
    return [_peak(installation, name, write) for name, write in FILES.items()]


def _peak(installation: Installation, name: str, write: Callable[[Path], object]) -> Row:
    root = installation.base / f"large-{uuid4().hex}"
    write(root)
    with crawler(installation, root, THREADS) as process:
        run = process.crawl(installation.add_library(root))
    if run.result["failed"] or run.result["skipped"]:
        raise SystemExit(f"the crawl did not take every {name}: {run.result}")
    shutil.rmtree(root)
    peak = run.peak / MEGABYTE
    title = f"memory, {THREADS} threads, 24 MP {name}"
    return at_most(title, f"{peak:.0f} MB in {run.seconds:.1f} s", peak, MOST_MB, " MB")
