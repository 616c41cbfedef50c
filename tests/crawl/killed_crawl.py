"""A process that crawls and is killed at a chosen step of the second of its files.

Its one argument is JSON: `address`, `root`, `proxies`, `config`, `item`, `attempt` and `step`.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

from adapters.filesystem import proxy_store
from adapters.ingestion.content_hasher import XxhContentHasher
from adapters.postgres.engine import ConnectionLimits, PostgresAddress, create_postgres_engine
from application.ports.work_context import WorkContext
from domain.work.attempt import AttemptTag
from entrypoints.common.settings import WorkerSettings
from entrypoints.worker.crawl_container import CrawlContainer
from tests.fakes.crawl_context import RecordedProgress, Token

PROXIES_PER_FILE = 2


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Fuse:
    """Burns down with each call."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def burn(self) -> bool:
        self.left -= 1
        return self.left == 0


def after_the_hash(_: RecordedProgress) -> None:
    fuse, real = Fuse(2), XxhContentHasher.hash

    def hash_and_die(self: XxhContentHasher, stream: BinaryIO) -> str:
        digest = real(self, stream)
        if fuse.burn():
            die()
        return digest

    XxhContentHasher.hash = hash_and_die  # type: ignore[method-assign]


def in_a_write(number: int, *, half: bool) -> Callable[[RecordedProgress], None]:
    """In the middle of the file's so-manieth proxy, or after it."""

    def set_up(_: RecordedProgress) -> None:
        fuse, real = Fuse(PROXIES_PER_FILE + number), proxy_store._write_once

        def write_and_die(file: Path, content: bytes) -> None:
            is_last = fuse.burn()
            real(file, content[: len(content) // 2] if is_last and half else content)
            if is_last:
                die()

        proxy_store._write_once = write_and_die

    return set_up


def after_publishing(number: int) -> Callable[[RecordedProgress], None]:
    """After so many of the file's proxies have their names; the commit follows the second."""

    def set_up(_: RecordedProgress) -> None:
        fuse, real = Fuse(PROXIES_PER_FILE + number), Path.replace

        def replace_and_die(self: Path, target: Any) -> Path:
            place = real(self, target)
            if fuse.burn():
                die()
            return place

        Path.replace = replace_and_die  # type: ignore[assignment, method-assign]

    return set_up


def after_the_commit(progress: RecordedProgress) -> None:
    real = progress.report

    def report_and_die(done: int, total: int | None = None, note: str | None = None) -> None:
        real(done, total, note)
        if total is not None and done == PROXIES_PER_FILE:
            die()

    progress.report = report_and_die  # type: ignore[method-assign]


STEPS: dict[str, Callable[[RecordedProgress], None]] = {
    "after the hash": after_the_hash,
    "in the first proxy": in_a_write(1, half=True),
    "after the first proxy": in_a_write(1, half=False),
    "in the second proxy": in_a_write(2, half=True),
    "after the second proxy": in_a_write(2, half=False),
    "after the first is published": after_publishing(1),
    "before the commit": after_publishing(2),
    "after the commit": after_the_commit,
}


def main(wanted: Any) -> None:
    progress = RecordedProgress()
    engine = create_postgres_engine(
        PostgresAddress(**wanted["address"]), ConnectionLimits(), "killed"
    )
    settings = WorkerSettings(
        root=wanted["root"], proxy_path=wanted["proxies"], max_concurrent_files=1
    )
    container = CrawlContainer(settings=settings, engine=engine)
    container.limit_decoders()
    STEPS[wanted["step"]](progress)
    tag = AttemptTag(item_id=UUID(wanted["item"]), attempt=wanted["attempt"])
    context = WorkContext(tag=tag, progress=progress, cancellation=Token())
    container.crawl_library()(UUID(wanted["config"]), context)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
