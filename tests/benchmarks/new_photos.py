"""A crawl of new photos, against the same pipeline in a bare loop over the same files."""

from pathlib import Path

from tests.benchmarks.crawler import MEGABYTE, Crawler, crawler
from tests.benchmarks.installation import Installation
from tests.benchmarks.pictures import MEGAPIXELS_12, write_jpegs
from tests.benchmarks.table import Row, Times, at_least, plain

PHOTOS = 40
THREADS = (2, 4)
LEAST = 0.85
MOST_RUNS = 5


def measure(installation: Installation, runs: int) -> list[Row]:
    root = installation.base / "new"
    size = write_jpegs(root, PHOTOS, MEGAPIXELS_12) / PHOTOS / MEGABYTE
    rows = [plain("new photos of 12 megapixels", f"{PHOTOS} of {size:.1f} MB")]
    for threads in THREADS:
        with crawler(installation, root, threads) as process:
            bare, crawls = _interleaved(process, root, min(runs, MOST_RUNS))
        rows += [
            plain(f"  bare loop, {threads} threads", bare),
            at_least(
                f"  crawl, {threads} threads, its speed", crawls, bare.median / crawls.median, LEAST
            ),
        ]
    return rows


def _interleaved(process: Crawler, root: Path, runs: int) -> tuple[Times, Times]:
    """A library of its own each time; the first pair warms up and does not count."""
    proxies = process.installation.base / "bare"
    bare, crawls = [], []
    for _ in range(runs + 1):
        bare.append(process.bare(root, proxies).seconds)
        run = process.crawl(process.installation.add_library(root))
        if run.result["ingested"] != PHOTOS:
            raise SystemExit(f"the crawl did not take {PHOTOS} photos: {run.result}")
        crawls.append(run.seconds)
    return Times(bare[1:]), Times(crawls[1:])
