"""The folders of originals."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

STORAGE_CONFIGS = """
CREATE TABLE storage_configs (
    id         uuid PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    root_path  text NOT NULL UNIQUE CHECK (root_path LIKE '/%'),
    time_zone  text NOT NULL,
    is_active  boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX storage_configs_user_id ON storage_configs (user_id);
COMMENT ON TABLE storage_configs IS 'One folder of one user''s originals';
COMMENT ON COLUMN storage_configs.id IS 'UUID v7; the scope of the work on this folder';
COMMENT ON COLUMN storage_configs.user_id IS 'The owner';
COMMENT ON COLUMN storage_configs.root_path IS 'Absolute, normalised; not inside another config''s';
COMMENT ON COLUMN storage_configs.time_zone IS 'IANA name; dates without a zone are read in it';
COMMENT ON COLUMN storage_configs.is_active IS 'False: neither scheduled nor claimed';
COMMENT ON COLUMN storage_configs.created_at IS 'When the folder was registered';
"""


def upgrade() -> None:
    op.execute(STORAGE_CONFIGS)
