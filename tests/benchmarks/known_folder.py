"""A folder of many tiny files, all of which the library knows already."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import cast
from uuid import UUID, uuid4

import psycopg
import xxhash

from tests.benchmarks.installation import Installation

FILES = "COPY source_files (storage_config_id, path, display_path, size, mtime_ns, outcome,"
FILES += " content_hash, media_type, asset_id) FROM STDIN"
ASSETS = "COPY media_assets (id, storage_config_id, media_type, format, content_size,"
ASSETS += " content_hash, width, height, blurhash) FROM STDIN"
BLURHASH = "L6PZfSi_.AyE_3t7t7R**0o#DgR4"


def write_folder(root: Path, folders: int, files_per_folder: int) -> None:
    """Files of distinct content, named as cameras name them."""
    for folder in range(folders):
        place = root / f"{2000 + folder % 25}" / f"{folder:03} summer holiday"
        place.mkdir(parents=True)
        for number in range(files_per_folder):
            (place / f"IMG_{number:05}.JPG").write_bytes(b"%d %d" % (folder, number))


def make_known(installation: Installation, config: UUID, root: Path) -> None:
    """Write the rows that a crawl of the folder leaves behind."""
    assets, files = [], []
    for path, content, mtime_ns in _found(root):
        asset, digest = uuid4(), xxhash.xxh64_hexdigest(content)
        size = len(content)
        assets.append((asset, config, "Image", "jpeg", size, digest, 4000, 3000, BLURHASH))
        files.append((config, path.encode(), path, size, mtime_ns, "asset", digest, "Image", asset))
    with installation.engine.begin() as connection:
        driver = cast("psycopg.Connection", connection.connection.dbapi_connection)
        with driver.cursor() as cursor:
            for statement, rows in ((ASSETS, assets), (FILES, files)):
                with cursor.copy(statement) as copy:
                    for row in rows:
                        copy.write_row(row)
    installation.maintain()


def _found(root: Path) -> Iterator[tuple[str, bytes, int]]:
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder) / name
            yield str(path.relative_to(root)), path.read_bytes(), path.stat().st_mtime_ns
