"""A crawl of 100,000 files of which none changed, against `find` over the same folder."""

import subprocess
import time
from pathlib import Path
from uuid import UUID

from tests.benchmarks.crawler import MEGABYTE, Crawler, Run, crawler
from tests.benchmarks.installation import Installation, installation
from tests.benchmarks.known_folder import make_known, write_folder
from tests.benchmarks.queue import figures as figure
from tests.benchmarks.queue.figures import Figure
from tests.benchmarks.table import Row, Times, at_most, plain

LARGE = (100, 1_000)
SMALL = (10, 100)
LONGEST = 3.0
MOST_GROWTH_MB = 150


def measure(installation: Installation, runs: int) -> list[Row]:
    large, small = (_library(installation, *shape) for shape in (LARGE, SMALL))
    with crawler(installation, large[0]) as process:
        find, crawls = _interleaved(process, *large, runs)
    with crawler(installation, small[0]) as process:
        little = [process.crawl(small[1]) for _ in range(3)]
    crawled = Times([run.seconds for run in crawls])
    growth = (max(run.peak for run in crawls) - max(run.peak for run in little)) / MEGABYTE
    files, opens = crawls[-1].result["unchanged"], max(run.opens for run in crawls)
    read = max(run.result["bytesRead"] for run in crawls)
    return [
        plain(f"find -printf over {files:,} files", find),
        at_most("re-crawl, nothing changed", crawled, crawled.median / find.median, LONGEST),
        at_most("  originals opened, bytes read", f"{opens}, {read}", opens + read, 0),
        at_most("  memory over a crawl of 1,000 files", f"{growth:.0f} MB", growth, MOST_GROWTH_MB),
    ]


def figures(runs: int = 5) -> list[Figure]:
    """The same crawl as a line of the queue's table."""
    with installation() as installed:
        root, config = _library(installed, *LARGE)
        with crawler(installed, root) as process:
            find, crawls = _interleaved(process, root, config, runs)
    crawled = Times([run.seconds for run in crawls])
    name = "re-crawl of 100,000 unchanged files"
    return [
        figure.plain("find over 100,000 files", find.median, "s"),
        figure.at_most(name, crawled.median, "s", crawled.median / find.median, LONGEST),
    ]


def _library(installation: Installation, folders: int, files: int) -> tuple[Path, UUID]:
    root = installation.base / f"known-{folders * files}"
    write_folder(root, folders, files)
    config = installation.add_library(root)
    make_known(installation, config, root)
    return root, config


def _interleaved(process: Crawler, root: Path, config: UUID, runs: int) -> tuple[Times, list[Run]]:
    found, crawls = [], []
    _find(root)
    process.crawl(config)
    for _ in range(runs):
        found.append(_find(root))
        crawls.append(process.crawl(config))
    return Times(found), crawls


def _find(root: Path) -> float:
    began_at = time.perf_counter()
    subprocess.run(
        ["find", root, "-printf", r"%s %T@ %p\n"],
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=60,
    )
    return time.perf_counter() - began_at
