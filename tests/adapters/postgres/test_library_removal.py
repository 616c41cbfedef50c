"""A library of many assets is deleted within the limits of the API's transactions."""

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.engine import ConnectionLimits, PostgresAddress
from application.ports.storage_configs import NewStorageConfig
from tests.contracts.accounts_ports import in_postgres
from tests.postgres_server import engine_at

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

ASSETS = 30_000
FILL = """
CREATE TEMP TABLE made AS SELECT gen_random_uuid() AS id, n FROM generate_series(1, :count) n;
INSERT INTO media_assets (id, storage_config_id, media_type, format, content_size, content_hash,
                          width, height, blurhash)
SELECT id, :config, 'Image', 'jpeg', 1, lpad(to_hex(n), 16, '0'), 1, 1, 'x' FROM made;
INSERT INTO asset_metadata (asset_id, storage_config_id, is_estimated, rotation_degrees,
                            is_mirrored)
SELECT id, :config, false, 0, false FROM made;
INSERT INTO proxy_files (asset_id, kind, width, height, bytes)
SELECT id, kind, 1, 1, 1 FROM made, (VALUES ('thumbnail'), ('preview')) kinds (kind);
INSERT INTO source_files (storage_config_id, path, display_path, size, mtime_ns, outcome,
                          content_hash, media_type, asset_id)
SELECT :config, n::text::bytea, n::text, 1, 1, 'asset', lpad(to_hex(n), 16, '0'), 'Image', id
FROM made;
"""


def test_a_large_library_goes_within_the_limit_on_each_transaction(
    database: PostgresAddress, engine: Engine
) -> None:
    with engine_at(database, ConnectionLimits(transaction=8)) as limited:
        ports = in_postgres(limited)
        config = ports.storage_configs.add(
            NewStorageConfig(user_id=ports.user("ada").id, root_path="/a", time_zone="UTC")
        )
        with engine.begin() as connection:
            for statement in FILL.strip().split(";\n"):
                connection.execute(
                    text(statement.rstrip(";")), {"config": config.id, "count": ASSETS}
                )
        ports.storage_configs.remove(config.id)
        with engine.connect() as connection:
            for table in ("media_assets", "asset_metadata", "proxy_files", "source_files"):
                assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() == 0
