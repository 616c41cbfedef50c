"""The library: files seen, assets, their metadata and proxies, and what a crawl could not read."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

MEDIA_ASSETS = """
CREATE TABLE media_assets (
    id                uuid PRIMARY KEY,
    storage_config_id uuid NOT NULL REFERENCES storage_configs (id) ON DELETE CASCADE,
    media_type        text NOT NULL CHECK (media_type <> ''),
    format            text NOT NULL CHECK (format <> ''),
    content_size      bigint NOT NULL CHECK (content_size > 0),
    content_hash      text NOT NULL CHECK (content_hash ~ '^[0-9a-f]{16}$'),
    width             integer NOT NULL CHECK (width > 0),
    height            integer NOT NULL CHECK (height > 0),
    blurhash          text NOT NULL,
    created_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    deleted_at        timestamptz,
    CONSTRAINT media_assets_content UNIQUE (storage_config_id, content_size, content_hash)
);
CREATE INDEX media_assets_deleted ON media_assets (storage_config_id) WHERE deleted_at IS NOT NULL;
COMMENT ON TABLE media_assets IS 'One picture of one storage config, whatever the paths that hold it';
COMMENT ON COLUMN media_assets.id IS 'Random UUID, so that proxy folders spread evenly; kept for the life of the asset';
COMMENT ON COLUMN media_assets.storage_config_id IS 'Whose folder it was found in';
COMMENT ON COLUMN media_assets.media_type IS 'Image; what it is to its owner';
COMMENT ON COLUMN media_assets.format IS 'How the original is encoded, told from its content';
COMMENT ON COLUMN media_assets.content_size IS 'Bytes of the original; identity together with the hash';
COMMENT ON COLUMN media_assets.content_hash IS 'XXH64 of the original, 16 hexadecimal digits';
COMMENT ON COLUMN media_assets.width IS 'Pixels, as displayed';
COMMENT ON COLUMN media_assets.height IS 'Pixels, as displayed';
COMMENT ON COLUMN media_assets.blurhash IS 'Placeholder of 4 by 3 components';
COMMENT ON COLUMN media_assets.created_at IS 'When it was first ingested';
COMMENT ON COLUMN media_assets.updated_at IS 'When its content, its path or its presence last changed';
COMMENT ON COLUMN media_assets.deleted_at IS 'Since when no file holds it; null = living. It comes back with its file';
"""

SOURCE_FILES = """
CREATE TABLE source_files (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    storage_config_id uuid NOT NULL REFERENCES storage_configs (id) ON DELETE CASCADE,
    path              bytea NOT NULL CHECK (length(path) > 0),
    display_path      text NOT NULL,
    size              bigint NOT NULL CHECK (size >= 0),
    mtime_ns          bigint NOT NULL,
    outcome           text NOT NULL CHECK (outcome IN ('asset', 'duplicate', 'skipped', 'failed')),
    reason            text,
    message           text,
    content_hash      text CHECK (content_hash ~ '^[0-9a-f]{16}$'),
    media_type        text,
    asset_id          uuid REFERENCES media_assets (id) ON DELETE SET NULL,
    missing_at        timestamptz,
    CONSTRAINT asset_known_where_held
        CHECK (outcome NOT IN ('asset', 'duplicate') OR content_hash IS NOT NULL AND media_type IS NOT NULL),
    CONSTRAINT reason_exactly_without_asset
        CHECK ((outcome IN ('skipped', 'failed')) = (reason IS NOT NULL))
);
CREATE UNIQUE INDEX source_files_path ON source_files (storage_config_id, sha256(path));
CREATE UNIQUE INDEX source_files_holder ON source_files (asset_id) INCLUDE (storage_config_id, id)
    WHERE outcome = 'asset';
CREATE INDEX source_files_asset_id ON source_files (asset_id);
CREATE INDEX source_files_duplicates ON source_files (storage_config_id) WHERE outcome = 'duplicate';
CREATE INDEX source_files_failed ON source_files (storage_config_id) WHERE outcome = 'failed';
COMMENT ON INDEX source_files_asset_id IS 'Whole, not partial: the foreign key looks here for each asset that is deleted';
COMMENT ON INDEX source_files_path IS 'By digest: a path may be longer than an index entry';
COMMENT ON INDEX source_files_holder IS 'One path holds an asset, every other one is a duplicate';
COMMENT ON TABLE source_files IS 'One row for each file that a crawl saw: its signature and what became of it';
COMMENT ON COLUMN source_files.id IS 'Internal';
COMMENT ON COLUMN source_files.storage_config_id IS 'The folder that it lies in';
COMMENT ON COLUMN source_files.path IS 'Relative to the root, byte for byte';
COMMENT ON COLUMN source_files.display_path IS 'The path as text for its owner; what is not UTF-8 is replaced';
COMMENT ON COLUMN source_files.size IS 'Bytes; a part of the signature';
COMMENT ON COLUMN source_files.mtime_ns IS 'Modification time in ns since 1970; a part of the signature. Never ctime';
COMMENT ON COLUMN source_files.outcome IS 'asset: holds one; duplicate: of the asset; skipped or failed: until the signature changes';
COMMENT ON COLUMN source_files.reason IS 'Why it was skipped or failed, as the result counts it';
COMMENT ON COLUMN source_files.message IS 'What was wrong with a failed file, for its owner';
COMMENT ON COLUMN source_files.content_hash IS 'XXH64 of what was read; null = never opened';
COMMENT ON COLUMN source_files.media_type IS 'The asset''s, so that unchanged files are counted without a join';
COMMENT ON COLUMN source_files.asset_id IS 'The asset; for a failed or skipped file the one that it held and may hold again';
COMMENT ON COLUMN source_files.missing_at IS 'Since when the file of an asset is gone; null = there';
"""

ASSET_METADATA = """
CREATE TABLE asset_metadata (
    asset_id               uuid PRIMARY KEY REFERENCES media_assets (id) ON DELETE CASCADE,
    storage_config_id      uuid NOT NULL REFERENCES storage_configs (id) ON DELETE CASCADE,
    captured_at            timestamp,
    capture_offset_seconds integer CHECK (abs(capture_offset_seconds) < 86400),
    capture_source         text,
    is_estimated           boolean NOT NULL,
    capture_year           smallint CHECK (capture_year BETWEEN 1900 AND 9999),
    capture_month          smallint CHECK (capture_month BETWEEN 1 AND 12),
    capture_day            smallint CHECK (capture_day BETWEEN 1 AND 31),
    rotation_degrees       smallint NOT NULL CHECK (rotation_degrees IN (0, 90, 180, 270)),
    is_mirrored            boolean NOT NULL,
    latitude               double precision CHECK (latitude BETWEEN -90 AND 90),
    longitude              double precision CHECK (longitude BETWEEN -180 AND 180),
    make                   text CHECK (length(make) <= 200),
    model                  text CHECK (length(model) <= 200),
    lens                   text CHECK (length(lens) <= 200),
    CONSTRAINT whole_date CHECK (num_nulls(captured_at, capture_source, capture_year, capture_month, capture_day) IN (0, 5)),
    CONSTRAINT whole_place CHECK (num_nulls(latitude, longitude) IN (0, 2))
);
CREATE INDEX asset_metadata_on_this_day
    ON asset_metadata (storage_config_id, capture_month, capture_day, capture_year);
COMMENT ON INDEX asset_metadata_on_this_day IS 'Flashbacks: the same day of other years';
COMMENT ON TABLE asset_metadata IS 'What is known of an asset; null where its file does not say, or says nonsense';
COMMENT ON COLUMN asset_metadata.asset_id IS 'The asset';
COMMENT ON COLUMN asset_metadata.storage_config_id IS 'The asset''s, repeated for the index on the day';
COMMENT ON COLUMN asset_metadata.captured_at IS 'Local time as the camera saw it';
COMMENT ON COLUMN asset_metadata.capture_offset_seconds IS 'The zone''s offset from UTC, where it is known';
COMMENT ON COLUMN asset_metadata.capture_source IS 'DateTimeOriginal, CreateDate, XMP or mtime';
COMMENT ON COLUMN asset_metadata.is_estimated IS 'The date is only the file''s, in the config''s time zone';
COMMENT ON COLUMN asset_metadata.capture_year IS 'Of captured_at';
COMMENT ON COLUMN asset_metadata.capture_month IS 'Of captured_at';
COMMENT ON COLUMN asset_metadata.capture_day IS 'Of captured_at';
COMMENT ON COLUMN asset_metadata.rotation_degrees IS 'Clockwise turn that shows the stored picture upright, after mirroring';
COMMENT ON COLUMN asset_metadata.is_mirrored IS 'Whether the stored picture must be mirrored left to right first';
COMMENT ON COLUMN asset_metadata.latitude IS 'Degrees north, WGS 84';
COMMENT ON COLUMN asset_metadata.longitude IS 'Degrees east, WGS 84';
COMMENT ON COLUMN asset_metadata.make IS 'Of the camera';
COMMENT ON COLUMN asset_metadata.model IS 'Of the camera';
COMMENT ON COLUMN asset_metadata.lens IS 'Of the camera';
"""

PROXY_FILES = """
CREATE TABLE proxy_files (
    asset_id uuid NOT NULL REFERENCES media_assets (id) ON DELETE CASCADE,
    kind     text NOT NULL CHECK (kind IN ('thumbnail', 'preview')),
    width    integer NOT NULL CHECK (width > 0),
    height   integer NOT NULL CHECK (height > 0),
    bytes    bigint NOT NULL CHECK (bytes > 0),
    PRIMARY KEY (asset_id, kind)
);
COMMENT ON TABLE proxy_files IS 'The proxies that were written for an asset; their place follows from its id';
COMMENT ON COLUMN proxy_files.asset_id IS 'The asset';
COMMENT ON COLUMN proxy_files.kind IS 'thumbnail or preview';
COMMENT ON COLUMN proxy_files.width IS 'Pixels';
COMMENT ON COLUMN proxy_files.height IS 'Pixels';
COMMENT ON COLUMN proxy_files.bytes IS 'Size of the file';
"""

CRAWL_FAILURES = """
CREATE TABLE crawl_failures (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    work_item_id uuid NOT NULL REFERENCES work_items (id) ON DELETE CASCADE,
    attempt      integer NOT NULL,
    path         bytea NOT NULL,
    display_path text NOT NULL,
    reason       text NOT NULL,
    message      text NOT NULL
);
CREATE INDEX crawl_failures_attempt ON crawl_failures (work_item_id, attempt, id);
COMMENT ON TABLE crawl_failures IS 'Which files a crawl could not take, for their owner only; readers see the finished attempt''s rows';
COMMENT ON COLUMN crawl_failures.id IS 'Order of discovery';
COMMENT ON COLUMN crawl_failures.work_item_id IS 'The crawl';
COMMENT ON COLUMN crawl_failures.attempt IS 'The attempt of the crawl that wrote the row';
COMMENT ON COLUMN crawl_failures.path IS 'Relative to the root, byte for byte';
COMMENT ON COLUMN crawl_failures.display_path IS 'The path as text; what is not UTF-8 is replaced';
COMMENT ON COLUMN crawl_failures.reason IS 'As the result counts it';
COMMENT ON COLUMN crawl_failures.message IS 'What was wrong with the file';
"""

CRAWL_IN_FLIGHT = """
CREATE TABLE crawl_in_flight (
    storage_config_id uuid NOT NULL REFERENCES storage_configs (id) ON DELETE CASCADE,
    path              bytea NOT NULL,
    asset_id          uuid NOT NULL,
    work_item_id      uuid NOT NULL,
    attempt           integer NOT NULL,
    is_in_flight      boolean NOT NULL,
    deaths            integer NOT NULL DEFAULT 0 CHECK (deaths >= 0)
);
CREATE UNIQUE INDEX crawl_in_flight_path ON crawl_in_flight (storage_config_id, sha256(path));
COMMENT ON TABLE crawl_in_flight IS 'Files being decoded; what is left of a dead run names its suspects and its orphaned proxies';
COMMENT ON COLUMN crawl_in_flight.storage_config_id IS 'The folder';
COMMENT ON COLUMN crawl_in_flight.path IS 'Relative to the root, byte for byte';
COMMENT ON COLUMN crawl_in_flight.asset_id IS 'The asset whose proxies are being written; it may not exist yet';
COMMENT ON COLUMN crawl_in_flight.work_item_id IS 'The crawl. No foreign key: the note outlives its item';
COMMENT ON COLUMN crawl_in_flight.attempt IS 'The attempt of the crawl';
COMMENT ON COLUMN crawl_in_flight.is_in_flight IS 'False once a later run has counted the death, or the run itself has called it off';
COMMENT ON COLUMN crawl_in_flight.deaths IS 'How many runs died while the file was in flight';
"""


def upgrade() -> None:
    op.execute(MEDIA_ASSETS)
    op.execute(SOURCE_FILES)
    op.execute(ASSET_METADATA)
    op.execute(PROXY_FILES)
    op.execute(CRAWL_FAILURES)
    op.execute(CRAWL_IN_FLIGHT)
