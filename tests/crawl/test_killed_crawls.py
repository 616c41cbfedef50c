"""A crawl that is killed with signal 9 and run again ends as one that nobody disturbed."""

import json
import shutil
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from adapters.postgres.engine import PostgresAddress
from tests.crawl.killed_crawl import STEPS
from tests.crawl.library import Library
from tests.crawl.pictures import encode, exif, photo, write

pytestmark = [pytest.mark.postgres, pytest.mark.process]

FILES = 3


def fill(library: Library, beginning: int) -> None:
    for number in range(FILES):
        block = exif(details={0x9003: f"2020:01:0{number + 1} 10:00:00"})
        picture = encode((beginning, number * 40, 0), (400, 300), exif=block)
        write(library.root / f"{number}.jpg", picture)


def crawl_until_killed(library: Library, address: PostgresAddress, step: str) -> None:
    tag = library.claim()
    wanted = {
        "address": asdict(address),
        "root": str(library.root),
        "proxies": str(library.proxy_path),
        "config": str(library.config),
        "item": str(tag.item_id),
        "attempt": tag.attempt,
        "step": step,
    }
    ended = subprocess.run(
        [sys.executable, "-m", "tests.crawl.killed_crawl", json.dumps(wanted)],
        cwd=Path(__file__).parents[2],
        check=False,
        timeout=60,
    )
    assert ended.returncode == -signal.SIGKILL


def ending(library: Library) -> Any:
    """All that a library is, but for the ids that chance gave; and all files and folders."""
    rows = library.rows(
        "SELECT s.path, s.size, s.mtime_ns, s.outcome, s.content_hash, a.media_type, a.width,"
        " a.height, a.blurhash, a.deleted_at, m.captured_at, m.capture_source, a.id"
        " FROM source_files s JOIN media_assets a ON a.id = s.asset_id"
        " JOIN asset_metadata m ON m.asset_id = a.id WHERE s.storage_config_id = :config"
        " ORDER BY s.path"
    )
    files = library.proxy_files()
    folders = {path for path in library.proxy_path.rglob("*") if path.is_dir()}
    kept = {}
    for row in rows:
        folder = f"{row.id.hex[:2]}/{row.id.hex[2:]}"
        kept[bytes(row.path)] = {
            name: files.pop(f"{folder}/{name}") for name in ("thumbnail.jpg", "preview.jpg")
        }
        folders -= {library.proxy_path / folder, library.proxy_path / folder[:2]}
    recorded = library.rows(
        "SELECT p.kind, p.width, p.height, p.bytes FROM proxy_files p"
        " JOIN media_assets a ON a.id = p.asset_id WHERE a.storage_config_id = :config"
        " ORDER BY p.bytes, p.kind"
    )
    flights = library.rows("SELECT path FROM crawl_in_flight WHERE storage_config_id = :config")
    assets = library.rows("SELECT FROM media_assets WHERE storage_config_id = :config")
    return {
        "rows": [tuple(row)[:-1] for row in rows],
        "proxies": kept,
        "recorded": [tuple(row) for row in recorded],
        "assets": len(assets),
        "left over": (files, folders, flights),
    }


@pytest.mark.parametrize("is_known", [False, True])
@pytest.mark.parametrize("step", STEPS)
def test_a_killed_crawl_and_another_end_as_one_that_nobody_disturbed(
    library: Library,
    second_library: Library,
    database: PostgresAddress,
    step: str,
    *,
    is_known: bool,
) -> None:
    if is_known:
        fill(library, 200)
        library.crawl()
    ids = library.holders()
    fill(library, 10)
    second_library.root.rmdir()
    shutil.copytree(library.root, second_library.root)
    second_library.crawl()
    crawl_until_killed(library, database, step)
    library.crawl()
    undisturbed = ending(second_library)
    assert undisturbed["left over"] == ({}, set(), [])
    assert ending(library) == undisturbed
    assert not is_known or library.holders() == ids


def test_a_crawl_that_nobody_kills_shows_that_the_steps_are_reached(
    library: Library, database: PostgresAddress
) -> None:
    write(library.root / "only.jpg", photo(1))
    with pytest.raises(AssertionError):
        crawl_until_killed(library, database, "before the commit")
    assert library.living() == 1
