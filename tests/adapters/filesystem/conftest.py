"""A root with originals in it."""

from pathlib import Path

import pytest

from adapters.filesystem.originals import FilesystemOriginals


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "originals"
    folder.mkdir()
    return folder


@pytest.fixture
def originals(root: Path, tmp_path: Path) -> FilesystemOriginals:
    return FilesystemOriginals(worker_root=root, proxy_path=tmp_path / "proxies")
