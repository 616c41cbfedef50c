from pathlib import Path

import pytest
from sqlalchemy import Engine

from tests.crawl.library import Library


@pytest.fixture
def library(engine: Engine, tmp_path: Path) -> Library:
    return Library(engine, tmp_path)


@pytest.fixture
def second_library(engine: Engine, tmp_path: Path) -> Library:
    """Another user's, in the same database."""
    return Library(engine, tmp_path / "second")
