"""A function that runs as its owner is for those alone who need it.

`note_work_item_removal` had been left to everybody: a role could hang it on a table of its own, and
what stood behind that table's trigger ran as the owner of the database. It writes to one table
now, whatever it is hung on, and a trigger needs no right of those who set it off.
"""

from alembic import op
from sqlalchemy import text

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

NOTE_REMOVALS = """
CREATE OR REPLACE FUNCTION {schema}.note_work_item_removal() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO {schema}.work_item_removals (id, removed_at)
    VALUES (OLD.id, greatest(clock_timestamp(), OLD.updated_at + interval '1 microsecond'))
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION {schema}.note_work_item_removal() FROM PUBLIC;
"""


def upgrade() -> None:
    schema = op.get_bind().scalar(text("SELECT quote_ident(current_schema())"))
    op.execute(NOTE_REMOVALS.replace("{schema}", schema))
