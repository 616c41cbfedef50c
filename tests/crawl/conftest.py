from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from tests.crawl.library import Library
from tests.unprivileged import ACCOUNT, reachable_folder


@pytest.fixture
def library(engine: Engine, worker_engine: Engine, tmp_path: Path) -> Library:
    return Library(engine, tmp_path, worker_engine)


@pytest.fixture
def second_library(engine: Engine, tmp_path: Path) -> Library:
    """Another user's, in the same database."""
    return Library(engine, tmp_path / "second")


@pytest.fixture
def guarded_library(engine: Engine) -> Iterator[Library]:
    """One whose folders can be closed to its crawls: see `as_ordinary_user`."""
    with reachable_folder() as folder:
        library = Library(engine, folder)
        ACCOUNT.own(library.root, 0o755)
        ACCOUNT.own(library.proxy_path, 0o755)
        yield library
