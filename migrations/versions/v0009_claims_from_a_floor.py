"""A claim begins its look where the last one ended, and finds what was given back beside that.

Both indexes have what no other index has, and the planner keeps no statistics of when items were asked
for: with those of an empty queue it would read everybody's backlog by the indexes of the list.
"""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

INDEXES = """
DROP INDEX work_items_claim;
CREATE INDEX work_items_claim ON work_items (
    coalesce(storage_config_id, '00000000-0000-0000-0000-000000000000'::uuid), (kind || ''),
    requested_at, id
) WHERE (status = 'Queued') IS TRUE;
CREATE INDEX work_items_given_back ON work_items (requested_at, id)
    INCLUDE (kind, storage_config_id, attempt)
    WHERE (status = 'Queued') IS TRUE AND attempt > 0;
COMMENT ON INDEX work_items_claim IS
    'The head of each (scope, kind) without reading anybody else''s backlog';
COMMENT ON INDEX work_items_given_back IS
    'Queued items that were claimed before: older than where claims begin their look';
"""

# The same type again: it makes the server forget the statistics that it has.
STATISTICS = """
ALTER TABLE work_items ALTER COLUMN requested_at TYPE timestamptz;
ALTER TABLE work_items ALTER COLUMN requested_at SET STATISTICS 0;
"""


def upgrade() -> None:
    op.execute(INDEXES)
    op.execute(STATISTICS)
