"""Failed log-ins, counted for all hosts of the API, and the addresses that accounts log in from."""

from alembic import op
from sqlalchemy import text

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

# failures = 0 is a row that was made to be locked, and never committed.
FAILURES = """
CREATE TABLE log_in_failures (
    scope          text NOT NULL CHECK (scope IN ('account', 'address', 'pair')),
    key            bytea NOT NULL CHECK (length(key) = 32),
    failures       integer NOT NULL CHECK (failures >= 0),
    last_failed_at timestamptz NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX log_in_failures_last_failed_at ON log_in_failures (last_failed_at);
COMMENT ON TABLE log_in_failures IS 'How often log-ins failed lately; whoever has too many waits';
COMMENT ON COLUMN log_in_failures.scope IS 'What is counted: a typed name, an address, or one name from one address';
COMMENT ON COLUMN log_in_failures.key IS 'SHA-256 of the typed name in lower case, of the address, or of both';
COMMENT ON COLUMN log_in_failures.failures IS 'Failures since there was a long pause; attempts that are being checked count too';
COMMENT ON COLUMN log_in_failures.last_failed_at IS 'When the newest began; after a long pause the row is deleted';
"""

ADDRESSES = """
CREATE TABLE log_in_addresses (
    user_id         uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    network         text NOT NULL CHECK (network <> '' AND length(network) <= 60),
    last_success_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, network)
);
CREATE INDEX log_in_addresses_last_success_at ON log_in_addresses (last_success_at);
COMMENT ON TABLE log_in_addresses IS 'Where users logged in from lately; attacks from elsewhere do not hold them up there';
COMMENT ON COLUMN log_in_addresses.user_id IS 'Who logged in';
COMMENT ON COLUMN log_in_addresses.network IS 'From where: an IPv4 address, the /64 of an IPv6 address, or local';
COMMENT ON COLUMN log_in_addresses.last_success_at IS 'When they last did; long after that the row is deleted';
"""

GRANT_ROLES = """
CREATE OR REPLACE FUNCTION {schema}.grant_roles() RETURNS text LANGUAGE plpgsql
SET search_path = pg_catalog, {schema}, pg_temp AS $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['anichron_api', 'anichron_worker'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I LOGIN', role);
            EXCEPTION
                WHEN insufficient_privilege THEN
                    RETURN format('role %s is missing, and this role may not make it', role);
                WHEN duplicate_object OR unique_violation THEN
                    NULL;  -- another database of this server was faster
            END;
        END IF;
    END LOOP;

    GRANT USAGE ON SCHEMA {schema} TO anichron_api, anichron_worker;
    GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO anichron_api;
    GRANT INSERT, UPDATE, DELETE ON users, refresh_tokens, storage_configs, missing_allowances,
        log_in_failures, log_in_addresses TO anichron_api;
    GRANT INSERT (id, kind, payload, storage_config_id, dedup_key, requested_by) ON work_items
        TO anichron_api;
    GRANT UPDATE (status, finished_at, updated_at, cancel_requested_at) ON work_items
        TO anichron_api;
    GRANT EXECUTE ON FUNCTION close_storage_config(uuid), empty_storage_config(uuid, integer)
        TO anichron_api;

    GRANT SELECT (id, name, email, is_disabled) ON users TO anichron_worker;
    -- To lock a config's row takes a right to change a column of it: the one that decides nothing.
    GRANT SELECT, UPDATE (created_at) ON storage_configs TO anichron_worker;
    GRANT SELECT (id, expires_at), DELETE ON refresh_tokens TO anichron_worker;
    GRANT SELECT, DELETE ON missing_allowances TO anichron_worker;
    GRANT SELECT ON alembic_version TO anichron_worker;
    GRANT EXECUTE ON FUNCTION open_crawl_schema(text), drop_crawl_schema(text) TO anichron_worker;
    GRANT SELECT, INSERT, UPDATE, DELETE ON work_items, work_item_removals, media_assets,
        asset_metadata, proxy_files, source_files, crawl_failures, crawl_in_flight, pairing_due
        TO anichron_worker;
    RETURN NULL;
EXCEPTION
    WHEN insufficient_privilege THEN
        RETURN 'this role may not grant what is in this database: ' || SQLERRM;
END $$;
"""


def upgrade() -> None:
    schema = op.get_bind().scalar(text("SELECT quote_ident(current_schema())"))
    for statement in (FAILURES, ADDRESSES, GRANT_ROLES):
        op.execute(statement.replace("{schema}", schema))
