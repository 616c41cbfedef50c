"""The other end of `crawl_child`."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from entrypoints.worker.main import DECODER_ENVIRONMENT
from tests.benchmarks.installation import Installation

MEGABYTE = 1024 * 1024
LONGEST_RUN_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Run:
    """What one crawl, or one bare loop, took."""

    seconds: float
    opens: int
    peak: int
    """Bytes of memory in RAM at the worst moment."""
    result: Any


@dataclass(frozen=True, slots=True)
class Crawler:
    """One process; its runs share whatever a runner keeps between two items."""

    installation: Installation
    process: subprocess.Popen[str]

    def crawl(self, config: UUID) -> Run:
        item = self.installation.claim(config)
        return self._ask({"crawl": str(config), "item": str(item)})

    def bare(self, root: Path, proxies: Path) -> Run:
        return self._ask({"bare": str(root), "proxies": str(proxies)})

    def _ask(self, request: dict[str, str]) -> Run:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], LONGEST_RUN_SECONDS)[0]:
            raise SystemExit(f"a run took longer than {LONGEST_RUN_SECONDS} s")
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the crawling process ended; what it said stands above")
        return Run(**json.loads(line))


@contextmanager
def crawler(installation: Installation, root: Path, threads: int = 4) -> Iterator[Crawler]:
    """A process that crawls below `root`, with the environment of a Worker's runner."""
    address = installation.address
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(installation.base),
        "WORKER__ROOT": str(root),
        "WORKER__PROXY_PATH": str(installation.base / "proxies"),
        "WORKER__MAX_CONCURRENT_FILES": str(threads),
        "POSTGRES_CONNECTION__HOST": address.host,
        "POSTGRES_CONNECTION__USER": address.user,
        "POSTGRES_CONNECTION__DBNAME": address.dbname,
        **DECODER_ENVIRONMENT,
    }
    command = [sys.executable, "-m", "tests.benchmarks.crawl_child"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env=environment,
    ) as process:
        try:
            yield Crawler(installation, process)
        finally:
            process.kill()
