"""The audit of the database under fire: each change of an item, written in the same transaction.

Heartbeats without news are not changes. The audit outlives the items, which go with their config.
"""

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg.rows import dict_row

from tests.chaos.history import Change, Item, LeaseLook, ResultRow

KINDS = ("Short", "Long")
SETUP = """
CREATE TABLE chaos_audit (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid xid NOT NULL DEFAULT pg_current_xact_id()::xid,
    item uuid NOT NULL, old_status text, status text, old_attempt integer, attempt integer,
    old_stalls integer, stalls integer, old_lease_until timestamptz, cancel_requested boolean,
    claimed_by text, act text, scope uuid, kind text, key text, requested_at timestamptz,
    result jsonb, note text, error text,
    statement_at timestamptz NOT NULL DEFAULT statement_timestamp(),
    at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE FUNCTION chaos_note() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public AS $$
DECLARE
    was work_items := OLD;
    here work_items := coalesce(NEW, OLD);
BEGIN
    INSERT INTO chaos_audit (
        item, old_status, status, old_attempt, attempt, old_stalls, stalls, old_lease_until,
        cancel_requested, claimed_by, act, scope, kind, key, requested_at, result, note, error)
    VALUES (
        here.id, was.status, CASE WHEN TG_OP <> 'DELETE' THEN here.status END,
        coalesce(was.attempt, 0), here.attempt, coalesce(was.stalls, 0), here.stalls,
        was.lease_until, here.cancel_requested_at IS NOT NULL, here.claimed_by,
        here.payload ->> 'act', here.storage_config_id, here.kind, here.dedup_key,
        here.requested_at, here.result, here.progress_note, here.error);
    RETURN NULL;
END $$;
CREATE TRIGGER chaos_new AFTER INSERT OR DELETE ON work_items
    FOR EACH ROW EXECUTE FUNCTION chaos_note();
CREATE TRIGGER chaos_changed AFTER UPDATE ON work_items FOR EACH ROW
    WHEN ((OLD.status, OLD.attempt, OLD.stalls, OLD.cancel_requested_at, OLD.progress_note)
        IS DISTINCT FROM (NEW.status, NEW.attempt, NEW.stalls, NEW.cancel_requested_at,
                          NEW.progress_note))
    EXECUTE FUNCTION chaos_note();
CREATE TABLE chaos_results (
    item uuid REFERENCES work_items ON DELETE CASCADE, attempt integer, row integer,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (item, attempt, row)
);
GRANT SELECT, INSERT ON chaos_results TO anichron_worker;
"""
_CHANGES = """
SELECT seq, item, old_status, status, old_attempt, attempt, old_stalls, stalls,
    extract(epoch FROM old_lease_until)::float8 AS old_lease_until, cancel_requested, claimed_by,
    coalesce(act, '') AS act, scope, kind, key,
    extract(epoch FROM requested_at)::float8 AS requested_at,
    extract(epoch FROM statement_at)::float8 AS statement_at,
    extract(epoch FROM at)::float8 AS at,
    extract(epoch FROM pg_xact_commit_timestamp(xid))::float8 AS committed_at, result, note, error
FROM chaos_audit WHERE kind = ANY(%s) ORDER BY seq
"""
_ROWS = """
SELECT item, attempt, row, extract(epoch FROM at)::float8 AS at FROM chaos_results
"""
_ITEMS = """
SELECT id, status, attempt, stalls, extract(epoch FROM updated_at)::float8 AS updated_at, result
FROM work_items
"""
_LOOK = """
SELECT extract(epoch FROM clock_timestamp())::float8 AS at,
    count(*) AS expired,
    coalesce(extract(epoch FROM clock_timestamp() - min(lease_until)), 0)::float8 AS longest
FROM work_items WHERE status = 'Running' AND lease_until < clock_timestamp()
"""
_UNFINISHED = "SELECT count(*) FROM work_items WHERE finished_at IS NULL AND kind = ANY(%s)"


class Audit:
    """Reads what the database under fire says of itself; psycopg.Error while it can't be asked."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def set_up(self) -> None:
        """Make the tables and the triggers."""
        self._connection.execute(SETUP)

    def changes(self) -> Sequence[Change]:
        """Every change of an item of the test's kinds, each item's in their order."""
        return [Change(**row) for row in self._rows(_CHANGES, [list(KINDS)])]

    def result_rows(self) -> Sequence[ResultRow]:
        return [ResultRow(**row) for row in self._rows(_ROWS)]

    def items(self) -> Sequence[Item]:
        """All items there are, those of the product's kinds too."""
        return [Item(**row) for row in self._rows(_ITEMS)]

    def look(self) -> LeaseLook:
        return LeaseLook(**self._rows(_LOOK)[0])

    def unfinished(self) -> int:
        return int(self._rows(_UNFINISHED, [list(KINDS)])[0]["count"])

    def _rows(self, query: str, parameters: Sequence[object] = ()) -> list[dict[str, Any]]:
        with self._connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query, parameters or None).fetchall()
