"""Videos, Live Photos and their halves, and the permission to let a held-back crawl through."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

MEDIA_ASSETS = """
ALTER TABLE media_assets
    ADD COLUMN content_identifier text CHECK (length(content_identifier) BETWEEN 1 AND 100),
    ADD COLUMN still_id uuid CONSTRAINT media_assets_still REFERENCES media_assets (id) ON DELETE SET NULL,
    ADD CONSTRAINT only_videos_have_a_still CHECK (still_id IS NULL OR media_type = 'Video');
CREATE UNIQUE INDEX media_assets_still_id ON media_assets (still_id) WHERE still_id IS NOT NULL;
CREATE INDEX media_assets_content_identifier ON media_assets (storage_config_id, content_identifier)
    WHERE content_identifier IS NOT NULL;
CREATE INDEX media_assets_videos ON media_assets (storage_config_id) WHERE media_type = 'Video';
CREATE INDEX media_assets_live ON media_assets (storage_config_id) WHERE media_type = 'LivePhoto';
COMMENT ON INDEX media_assets_still_id IS 'A Live Photo has one moving half';
COMMENT ON INDEX media_assets_videos IS 'Pairing looks at videos, of which there are few, and not at every picture';
COMMENT ON COLUMN media_assets.media_type IS 'Image, LivePhoto or Video; what it is to its owner';
COMMENT ON COLUMN media_assets.content_identifier IS 'Apple''s identifier, the same in both halves of a Live Photo';
COMMENT ON COLUMN media_assets.still_id IS 'Of a video: the Live Photo whose moving half it is; null = a video of its own';
"""

# The name without its extension, for names that can be half of a Live Photo; as a digest, because a
# path may be longer than an index entry. The folder counts byte for byte, the case of the base name
# does not, as far as the database's locale folds it; a name that is not UTF-8 by its own bytes.
SOURCE_FILES = r"""
ALTER TABLE source_files
    ADD COLUMN pair_name uuid GENERATED ALWAYS AS (
        CASE WHEN display_path ~* '\.(heic|heif|jpg|jpeg|mov)$'
             THEN md5(
                regexp_replace(encode(path, 'escape'), '[^/]*$', '')
                || lower(regexp_replace(regexp_replace(
                    CASE WHEN position(chr(65533) IN display_path) > 0
                         THEN encode(path, 'escape') ELSE display_path END,
                    '^.*/', ''), '\.[^.]*$', ''))
             )::uuid
        END
    ) STORED;
CREATE INDEX source_files_pair_name ON source_files (storage_config_id, pair_name)
    WHERE pair_name IS NOT NULL AND outcome IN ('asset', 'duplicate');
COMMENT ON COLUMN source_files.pair_name IS 'Digest of folder and base name without regard to case; the halves of a Live Photo share it';
"""

ASSET_METADATA = """
ALTER TABLE asset_metadata
    ADD COLUMN duration_seconds double precision
        CHECK (duration_seconds >= 0 AND duration_seconds < 'Infinity'::double precision);
COMMENT ON COLUMN asset_metadata.capture_source IS 'DateTimeOriginal, CreateDate, XMP, creationdate, QuickTime or mtime';
COMMENT ON COLUMN asset_metadata.duration_seconds IS 'Of a video, where its header says';
"""

# What was passed over as a known format that was not ingested yet is looked at again: nothing has a
# modification time of that nanosecond.
RETRIED = """
UPDATE source_files SET mtime_ns = mtime_ns + 1 WHERE reason = 'unsupported content';
COMMENT ON COLUMN source_files.media_type IS 'Image or Video: the file''s, so that unchanged files are counted without a join';
"""

PAIRING_DUE = """
CREATE TABLE pairing_due (
    storage_config_id uuid PRIMARY KEY REFERENCES storage_configs (id) ON DELETE CASCADE
);
COMMENT ON TABLE pairing_due IS 'Configs in which something changed since their Live Photos were last paired';
COMMENT ON COLUMN pairing_due.storage_config_id IS 'The folder';
"""

MISSING_ALLOWANCES = """
CREATE TABLE missing_allowances (
    storage_config_id uuid PRIMARY KEY REFERENCES storage_configs (id) ON DELETE CASCADE,
    allowed_at        timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE missing_allowances IS 'Configs whose next complete crawl may take most of the library, or all of it, for missing';
COMMENT ON COLUMN missing_allowances.storage_config_id IS 'The folder';
COMMENT ON COLUMN missing_allowances.allowed_at IS 'When an admin allowed it; a crawl uses up only the one that it found when it began';
"""


def upgrade() -> None:
    op.execute(MEDIA_ASSETS)
    op.execute(SOURCE_FILES)
    op.execute(ASSET_METADATA)
    op.execute(RETRIED)
    op.execute(PAIRING_DUE)
    op.execute(MISSING_ALLOWANCES)
