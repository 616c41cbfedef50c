from pathlib import Path

import pytest
from sqlalchemy import Engine

from tests.crawl.library import Library


@pytest.fixture
def library(engine: Engine, tmp_path: Path) -> Library:
    return Library(engine, tmp_path)
