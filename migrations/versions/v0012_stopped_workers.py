"""A Worker that was told to stop says so: only one that died is missed."""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

# Older releases leave it empty, as one that dies does.
SERVES_OLDER_RELEASES = True

COLUMN = """
ALTER TABLE workers ADD COLUMN stopped_at timestamptz;
COMMENT ON COLUMN workers.stopped_at IS 'When it ended as it was told to; null = it has not said so';
"""


def upgrade() -> None:
    op.execute(COLUMN)
