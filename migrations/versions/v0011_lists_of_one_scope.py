"""The list of one scope, whatever kind and status: each is one stretch of one index."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

# Older releases find their lists in it too, if more slowly.
SERVES_OLDER_RELEASES = True

# The columns are those that the index had before; kind and status were beside its keys.
INDEX = """
DROP INDEX work_items_list_by_scope;
CREATE INDEX work_items_list_by_scope ON work_items
    (storage_config_id, kind, status, requested_at DESC, id DESC);
COMMENT ON INDEX work_items_list_by_scope IS 'The list and the counts of one scope; the removal of a storage config';
"""


def upgrade() -> None:
    op.execute(INDEX)
