"""What the admin's view reads: the Workers that are there, and the items of one scope in order."""

from alembic import op
from sqlalchemy import text

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

# Written again and again by each Worker: no index on what changes, so that updates stay HOT.
WORKERS = """
CREATE TABLE workers (
    id         uuid PRIMARY KEY,
    name       text NOT NULL,
    user_id    uuid,
    host       text NOT NULL,
    version    text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    item_id    uuid
) WITH (fillfactor = 50);
COMMENT ON TABLE workers IS 'Worker processes, for admins to look at; no decision hangs on it';
COMMENT ON COLUMN workers.id IS 'One process from its start to its end';
COMMENT ON COLUMN workers.name IS 'Whom it serves, at which host, as in work_items.claimed_by';
COMMENT ON COLUMN workers.user_id IS 'Whose storage configs it serves; null = everyone''s. No foreign key: it says what the process was started with';
COMMENT ON COLUMN workers.host IS 'The machine or container that it runs on';
COMMENT ON COLUMN workers.version IS 'Its release';
COMMENT ON COLUMN workers.started_at IS 'Its first sign of life';
COMMENT ON COLUMN workers.seen_at IS 'Its last sign of life; retention deletes those that are long gone';
COMMENT ON COLUMN workers.item_id IS 'The item that it ran at its last sign of life; null = none';
"""

# Instead of the one on storage_config_id alone, whose work it also does.
SCOPE_INDEX = """
CREATE INDEX work_items_list_by_scope ON work_items
    (storage_config_id, requested_at DESC, id DESC) INCLUDE (kind, status);
COMMENT ON INDEX work_items_list_by_scope IS 'The list and the counts of one scope; the removal of a storage config';
DROP INDEX work_items_storage_config_id;
"""

GRANTS = """
DO $$
DECLARE
    definition text := pg_get_functiondef('{schema}.grant_roles'::regproc);
BEGIN
    ASSERT definition LIKE '%GRANT SELECT, INSERT, UPDATE, DELETE ON work_items,%';
    EXECUTE replace(
        definition,
        'GRANT SELECT, INSERT, UPDATE, DELETE ON work_items,',
        'GRANT SELECT, INSERT, UPDATE, DELETE ON workers, work_items,');
END $$;
"""


def upgrade() -> None:
    schema = op.get_bind().scalar(text("SELECT quote_ident(current_schema())"))
    for statement in (WORKERS, SCOPE_INDEX, GRANTS):
        op.execute(statement.replace("{schema}", schema))
