"""The work queue: its items, and what tells a live view that an item is gone."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

WORK_ITEMS = """
CREATE TABLE work_items (
    id                  uuid PRIMARY KEY,
    kind                text NOT NULL CHECK (kind <> '' AND length(kind) <= 100),
    payload             jsonb NOT NULL CHECK (jsonb_typeof(payload) = 'object'),
    storage_config_id   uuid REFERENCES storage_configs (id) ON DELETE CASCADE,
    dedup_key           text CHECK (length(dedup_key) BETWEEN 1 AND 200),
    requested_by        uuid,
    requested_at        timestamptz NOT NULL DEFAULT clock_timestamp(),

    status              text NOT NULL DEFAULT 'Queued'
        CHECK (status IN ('Queued', 'Running', 'Succeeded', 'Failed', 'Cancelled')),
    attempt             integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    stalls              integer NOT NULL DEFAULT 0 CHECK (stalls >= 0),
    claimed_by          text,
    started_at          timestamptz,
    lease_until         timestamptz,
    finished_at         timestamptz,
    updated_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    cancel_requested_at timestamptz,

    progress_done       bigint CHECK (progress_done >= 0),
    progress_total      bigint CHECK (progress_total >= 0),
    progress_note       text CHECK (length(progress_note) <= 200),
    result              jsonb CHECK (jsonb_typeof(result) = 'object'),
    error               text,

    CONSTRAINT leased_exactly_while_running
        CHECK ((status = 'Running') = (lease_until IS NOT NULL)),
    CONSTRAINT no_cancel_request_while_queued
        CHECK (status <> 'Queued' OR cancel_requested_at IS NULL),
    CONSTRAINT finished_at_exactly_when_finished
        CHECK ((status IN ('Succeeded', 'Failed', 'Cancelled')) = (finished_at IS NOT NULL)),
    CONSTRAINT result_only_when_succeeded_or_cancelled
        CHECK (result IS NULL OR status IN ('Succeeded', 'Cancelled')),
    CONSTRAINT error_only_when_failed_or_cancelled
        CHECK (error IS NULL OR status IN ('Failed', 'Cancelled'))
) WITH (fillfactor = 80);
"""

WORK_ITEM_COMMENTS = """
COMMENT ON TABLE work_items IS
    'Requests for work: inserted by the enqueue path, run by Workers. All times are this database''s clock';
COMMENT ON COLUMN work_items.id IS 'UUID v7';
COMMENT ON COLUMN work_items.kind IS 'What sort of work; unknown kinds wait, hence no check';
COMMENT ON COLUMN work_items.payload IS 'The kind''s typed arguments, at most 64 KiB';
COMMENT ON COLUMN work_items.storage_config_id IS 'The scope; null = unscoped';
COMMENT ON COLUMN work_items.dedup_key IS 'While one with this key waits, no second is inserted; null = never coalesces';
COMMENT ON COLUMN work_items.requested_by IS
    'User who asked; null = scheduled. No foreign key: a deleted user''s requests stay requests';
COMMENT ON COLUMN work_items.requested_at IS 'When it was asked for; claims go in this order';
COMMENT ON COLUMN work_items.status IS 'Queued, Running, Succeeded, Failed or Cancelled; the last three are final';
COMMENT ON COLUMN work_items.attempt IS 'Count of claims and fencing token; it never goes down';
COMMENT ON COLUMN work_items.stalls IS 'How often a claim of it died';
COMMENT ON COLUMN work_items.claimed_by IS 'For display: whom the last Worker serves, at which host';
COMMENT ON COLUMN work_items.started_at IS 'When the current or last claim was made';
COMMENT ON COLUMN work_items.lease_until IS 'Until when the claim is believed without a sign of life; in no index, so that heartbeats stay HOT';
COMMENT ON COLUMN work_items.finished_at IS 'When it ended';
COMMENT ON COLUMN work_items.updated_at IS 'When something that a reader can see last changed; the cursor of the live view. Only moves forward';
COMMENT ON COLUMN work_items.cancel_requested_at IS 'When the first request to cancel the running item came';
COMMENT ON COLUMN work_items.progress_done IS 'Newest progress: how much is done';
COMMENT ON COLUMN work_items.progress_total IS 'Newest progress: of how much; null = unknown';
COMMENT ON COLUMN work_items.progress_note IS 'Newest progress: a short note without media names';
COMMENT ON COLUMN work_items.result IS 'Counts and facts; partial when the item was cancelled';
COMMENT ON COLUMN work_items.error IS 'Why it failed or was superseded; never a path';
"""

WORK_ITEM_INDEXES = """
CREATE UNIQUE INDEX work_items_queued_dedup_key ON work_items (dedup_key)
    WHERE status = 'Queued' AND dedup_key IS NOT NULL;
CREATE INDEX work_items_claim ON work_items (
    coalesce(storage_config_id, '00000000-0000-0000-0000-000000000000'::uuid), kind, requested_at, id
) WHERE status = 'Queued';
CREATE INDEX work_items_running ON work_items (id) WHERE status = 'Running';
CREATE INDEX work_items_due ON work_items (dedup_key, finished_at DESC) WHERE dedup_key IS NOT NULL;
CREATE INDEX work_items_finished ON work_items (finished_at, id) WHERE finished_at IS NOT NULL;
CREATE INDEX work_items_changes ON work_items (updated_at, id);
CREATE INDEX work_items_list ON work_items (requested_at DESC, id DESC);
CREATE INDEX work_items_list_by_status ON work_items (status, requested_at DESC, id DESC);
CREATE INDEX work_items_list_by_kind ON work_items (kind, status, requested_at DESC, id DESC);
CREATE INDEX work_items_storage_config_id ON work_items (storage_config_id);
COMMENT ON INDEX work_items_queued_dedup_key IS 'Coalescing: racing callers agree on one waiting item';
COMMENT ON INDEX work_items_claim IS 'The head of each (scope, kind) without reading anybody else''s backlog';
COMMENT ON INDEX work_items_running IS 'Recovery and leases; not on lease_until, which would end HOT updates';
COMMENT ON INDEX work_items_due IS 'Due-ness of periodic kinds';
COMMENT ON INDEX work_items_finished IS 'Retention';
COMMENT ON INDEX work_items_changes IS 'The live view';
"""

REMOVALS = """
CREATE TABLE work_item_removals (
    id         uuid PRIMARY KEY,
    removed_at timestamptz NOT NULL
);
CREATE INDEX work_item_removals_changes ON work_item_removals (removed_at, id);
COMMENT ON TABLE work_item_removals IS
    'Unfinished items that were deleted with their storage config, so that live views can be told';
COMMENT ON COLUMN work_item_removals.id IS 'The work item that is gone';
COMMENT ON COLUMN work_item_removals.removed_at IS 'When; in the same order as work_items.updated_at';

CREATE FUNCTION note_work_item_removal() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format(
        'INSERT INTO %I.work_item_removals (id, removed_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        TG_TABLE_SCHEMA)
    USING OLD.id, greatest(clock_timestamp(), OLD.updated_at + interval '1 microsecond');
    RETURN NULL;
END $$;
COMMENT ON FUNCTION note_work_item_removal() IS 'Keeps the id of a deleted unfinished item';
CREATE TRIGGER work_items_note_removal AFTER DELETE ON work_items
    FOR EACH ROW WHEN (OLD.finished_at IS NULL) EXECUTE FUNCTION note_work_item_removal();
"""


def upgrade() -> None:
    op.execute(WORK_ITEMS)
    op.execute(WORK_ITEM_COMMENTS)
    op.execute(WORK_ITEM_INDEXES)
    op.execute(REMOVALS)
