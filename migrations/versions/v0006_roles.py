"""The database's own walls: what the API's role and the Worker's may do, and nothing else.

A role belongs to the whole server and not to this database. `grant_roles` makes those that are
missing, where that is allowed, and gives each what it needs here; `anichron migrate` calls it every
time, so roles that an operator made later get their rights too.
"""

from alembic import op
from sqlalchemy import text

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

# Which rows the removal functions may touch: a config that is being removed, and no other.
REMOVAL_MARK = """
ALTER TABLE storage_configs ADD COLUMN removal_began_at timestamptz;
COMMENT ON COLUMN storage_configs.removal_began_at IS 'Since when it is being removed, in batches; null = it stays';
"""

CLOSE_CONFIG = """
CREATE FUNCTION {schema}.close_storage_config(config uuid) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, {schema}, pg_temp AS $$
BEGIN
    PERFORM FROM storage_configs WHERE id = config FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE storage_configs SET is_active = false,
        removal_began_at = coalesce(removal_began_at, clock_timestamp())
    WHERE id = config;
    DELETE FROM work_items WHERE storage_config_id = config AND finished_at IS NULL;
    RETURN true;
END $$;
COMMENT ON FUNCTION {schema}.close_storage_config(uuid) IS
    'Begins the removal of a config: nothing new begins in it, and what was begun is fenced off';
"""

# Read from the catalogue, so that a table that is added later is emptied in batches too. Those that
# refer to most tables come first: what refers to an asset is gone before the asset.
EMPTY_CONFIG = """
CREATE FUNCTION {schema}.empty_storage_config(config uuid, most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, {schema}, pg_temp AS $$
DECLARE
    child record;
    gone bigint;
BEGIN
    PERFORM FROM storage_configs WHERE id = config AND removal_began_at IS NOT NULL;
    IF NOT FOUND THEN
        RAISE insufficient_privilege USING MESSAGE = 'only a config that is being removed can be emptied';
    END IF;
    FOR child IN
        SELECT k.conrelid::regclass AS name, a.attname AS reference
        FROM pg_constraint k
        JOIN pg_class c ON c.oid = k.conrelid
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
        WHERE k.confrelid = 'storage_configs'::regclass AND k.contype = 'f' AND k.confdeltype = 'c'
        ORDER BY (
            SELECT count(*) FROM pg_constraint o WHERE o.conrelid = k.conrelid AND o.contype = 'f'
        ) DESC, c.relname
    LOOP
        EXECUTE format(
            'DELETE FROM %s WHERE ctid = ANY(ARRAY(SELECT ctid FROM %s WHERE %I = $1 LIMIT $2))',
            child.name, child.name, child.reference)
        USING config, most;
        GET DIAGNOSTICS gone = ROW_COUNT;
        IF gone > 0 THEN
            RETURN gone;
        END IF;
    END LOOP;
    RETURN 0;
END $$;
COMMENT ON FUNCTION {schema}.empty_storage_config(uuid, integer) IS
    'Deletes one batch of what hangs on a config that is being removed; 0: nothing is left';
"""

# Whoever may not write leases is no Worker, and may do no more than cancel. The columns that such a
# role may set at all are those of a cancellation.
GUARD_UPDATES = """
CREATE FUNCTION {schema}.refuse_all_but_cancel() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF OLD.status = 'Queued' AND NEW.status = 'Cancelled'
        AND NEW.cancel_requested_at IS NULL
        AND NEW.finished_at BETWEEN statement_timestamp() AND clock_timestamp()
        AND NEW.updated_at > OLD.updated_at
        AND NEW.updated_at <= greatest(clock_timestamp(), OLD.updated_at + interval '1 microsecond')
    THEN
        RETURN NEW;
    END IF;
    IF OLD.status = 'Running' AND NEW.status = 'Running' AND NEW.finished_at IS NULL
        AND OLD.cancel_requested_at IS NULL
        AND NEW.cancel_requested_at BETWEEN statement_timestamp() AND clock_timestamp()
        AND NEW.updated_at > OLD.updated_at
        AND NEW.updated_at <= greatest(clock_timestamp(), OLD.updated_at + interval '1 microsecond')
    THEN
        RETURN NEW;
    END IF;
    RAISE insufficient_privilege USING MESSAGE = 'this role may cancel work items and change nothing else of them';
END $$;
COMMENT ON FUNCTION {schema}.refuse_all_but_cancel() IS 'Lets a role that is no Worker cancel, and nothing else';
CREATE TRIGGER work_items_only_cancel BEFORE UPDATE ON work_items
    FOR EACH ROW WHEN (NOT has_column_privilege('{schema}.work_items'::regclass, 'lease_until', 'UPDATE'))
    EXECUTE FUNCTION {schema}.refuse_all_but_cancel();
"""

# The tables of a running crawl. A Worker may make schemas of this form of name and no others.
CRAWL_SCHEMAS = """
CREATE FUNCTION {schema}.open_crawl_schema(name text) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF name !~ '^crawl_[0-9a-f]{32}_[0-9]+$' THEN
        RAISE insufficient_privilege USING MESSAGE = 'this is no name of a schema for a crawl';
    END IF;
    EXECUTE format('CREATE SCHEMA %I', name);
    EXECUTE format('GRANT ALL ON SCHEMA %I TO %I', name, session_user);
END $$;
COMMENT ON FUNCTION {schema}.open_crawl_schema(text) IS 'Makes the schema for the tables of one attempt of a crawl';

CREATE FUNCTION {schema}.drop_crawl_schema(name text) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF name !~ '^crawl_[0-9a-f]{32}_[0-9]+$' THEN
        RAISE insufficient_privilege USING MESSAGE = 'this is no name of a schema for a crawl';
    END IF;
    EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE', name);
END $$;
COMMENT ON FUNCTION {schema}.drop_crawl_schema(text) IS 'Removes the tables of one attempt of a crawl';
"""

GRANT_ROLES = """
CREATE FUNCTION {schema}.grant_roles() RETURNS text LANGUAGE plpgsql
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
    GRANT INSERT, UPDATE, DELETE ON users, refresh_tokens, storage_configs, missing_allowances
        TO anichron_api;
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
COMMENT ON FUNCTION {schema}.grant_roles() IS
    'Makes the hosts'' roles where they are missing and gives them their rights; null, or why not';
REVOKE ALL ON FUNCTION {schema}.grant_roles(), {schema}.close_storage_config(uuid),
    {schema}.empty_storage_config(uuid, integer), {schema}.refuse_all_but_cancel(),
    {schema}.open_crawl_schema(text), {schema}.drop_crawl_schema(text) FROM PUBLIC;
"""


def upgrade() -> None:
    connection = op.get_bind()
    schema = connection.scalar(text("SELECT quote_ident(current_schema())"))
    op.execute(REMOVAL_MARK)
    for statement in (CLOSE_CONFIG, EMPTY_CONFIG, GUARD_UPDATES, CRAWL_SCHEMAS, GRANT_ROLES):
        op.execute(statement.replace("{schema}", schema))
