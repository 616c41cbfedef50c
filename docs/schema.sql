-- The schema of Anichron's database, made from the migrations by `make schema`; do not edit.
-- A test holds this file to the migrations.

CREATE FUNCTION public.close_storage_config(config uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION public.close_storage_config(config uuid) IS 'Begins the removal of a config: nothing new begins in it, and what was begun is fenced off';

CREATE FUNCTION public.drop_crawl_schema(name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
BEGIN
    IF name !~ '^crawl_[0-9a-f]{32}_[0-9]+$' THEN
        RAISE insufficient_privilege USING MESSAGE = 'this is no name of a schema for a crawl';
    END IF;
    EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE', name);
END $_$;

COMMENT ON FUNCTION public.drop_crawl_schema(name text) IS 'Removes the tables of one attempt of a crawl';

CREATE FUNCTION public.empty_storage_config(config uuid, most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
END $_$;

COMMENT ON FUNCTION public.empty_storage_config(config uuid, most integer) IS 'Deletes one batch of what hangs on a config that is being removed; 0: nothing is left';

CREATE FUNCTION public.grant_roles() RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

    GRANT USAGE ON SCHEMA public TO anichron_api, anichron_worker;
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO anichron_api;
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
    GRANT SELECT, INSERT, UPDATE, DELETE ON workers, work_items, work_item_removals, media_assets,
        asset_metadata, proxy_files, source_files, crawl_failures, crawl_in_flight, pairing_due
        TO anichron_worker;
    RETURN NULL;
EXCEPTION
    WHEN insufficient_privilege THEN
        RETURN 'this role may not grant what is in this database: ' || SQLERRM;
END $$;

COMMENT ON FUNCTION public.grant_roles() IS 'Makes the hosts'' roles where they are missing and gives them their rights; null, or why not';

CREATE FUNCTION public.note_work_item_removal() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO public.work_item_removals (id, removed_at)
    VALUES (OLD.id, greatest(clock_timestamp(), OLD.updated_at + interval '1 microsecond'))
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION public.note_work_item_removal() IS 'Keeps the id of a deleted unfinished item';

CREATE FUNCTION public.open_crawl_schema(name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
BEGIN
    IF name !~ '^crawl_[0-9a-f]{32}_[0-9]+$' THEN
        RAISE insufficient_privilege USING MESSAGE = 'this is no name of a schema for a crawl';
    END IF;
    EXECUTE format('CREATE SCHEMA %I', name);
    EXECUTE format('GRANT ALL ON SCHEMA %I TO %I', name, session_user);
END $_$;

COMMENT ON FUNCTION public.open_crawl_schema(name text) IS 'Makes the schema for the tables of one attempt of a crawl';

CREATE FUNCTION public.refuse_all_but_cancel() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION public.refuse_all_but_cancel() IS 'Lets a role that is no Worker cancel, and nothing else';

CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);

COMMENT ON TABLE public.alembic_version IS 'also serves: 0011 0010';

CREATE TABLE public.asset_metadata (
    asset_id uuid NOT NULL,
    storage_config_id uuid NOT NULL,
    captured_at timestamp without time zone,
    capture_offset_seconds integer,
    capture_source text,
    is_estimated boolean NOT NULL,
    capture_year smallint,
    capture_month smallint,
    capture_day smallint,
    rotation_degrees smallint NOT NULL,
    is_mirrored boolean NOT NULL,
    latitude double precision,
    longitude double precision,
    make text,
    model text,
    lens text,
    duration_seconds double precision,
    CONSTRAINT asset_metadata_capture_day_check CHECK (((capture_day >= 1) AND (capture_day <= 31))),
    CONSTRAINT asset_metadata_capture_month_check CHECK (((capture_month >= 1) AND (capture_month <= 12))),
    CONSTRAINT asset_metadata_capture_offset_seconds_check CHECK ((abs(capture_offset_seconds) < 86400)),
    CONSTRAINT asset_metadata_capture_year_check CHECK (((capture_year >= 1900) AND (capture_year <= 9999))),
    CONSTRAINT asset_metadata_duration_seconds_check CHECK (((duration_seconds >= (0)::double precision) AND (duration_seconds < 'Infinity'::double precision))),
    CONSTRAINT asset_metadata_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT asset_metadata_lens_check CHECK ((length(lens) <= 200)),
    CONSTRAINT asset_metadata_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
    CONSTRAINT asset_metadata_make_check CHECK ((length(make) <= 200)),
    CONSTRAINT asset_metadata_model_check CHECK ((length(model) <= 200)),
    CONSTRAINT asset_metadata_rotation_degrees_check CHECK ((rotation_degrees = ANY (ARRAY[0, 90, 180, 270]))),
    CONSTRAINT whole_date CHECK ((num_nulls(captured_at, capture_source, capture_year, capture_month, capture_day) = ANY (ARRAY[0, 5]))),
    CONSTRAINT whole_place CHECK ((num_nulls(latitude, longitude) = ANY (ARRAY[0, 2])))
);

COMMENT ON TABLE public.asset_metadata IS 'What is known of an asset; null where its file does not say, or says nonsense';

COMMENT ON COLUMN public.asset_metadata.asset_id IS 'The asset';

COMMENT ON COLUMN public.asset_metadata.storage_config_id IS 'The asset''s, repeated for the index on the day';

COMMENT ON COLUMN public.asset_metadata.captured_at IS 'Local time as the camera saw it';

COMMENT ON COLUMN public.asset_metadata.capture_offset_seconds IS 'The zone''s offset from UTC, where it is known';

COMMENT ON COLUMN public.asset_metadata.capture_source IS 'DateTimeOriginal, CreateDate, XMP, creationdate, QuickTime or mtime';

COMMENT ON COLUMN public.asset_metadata.is_estimated IS 'The date is only the file''s, in the config''s time zone';

COMMENT ON COLUMN public.asset_metadata.capture_year IS 'Of captured_at';

COMMENT ON COLUMN public.asset_metadata.capture_month IS 'Of captured_at';

COMMENT ON COLUMN public.asset_metadata.capture_day IS 'Of captured_at';

COMMENT ON COLUMN public.asset_metadata.rotation_degrees IS 'Clockwise turn that shows the stored picture upright, after mirroring';

COMMENT ON COLUMN public.asset_metadata.is_mirrored IS 'Whether the stored picture must be mirrored left to right first';

COMMENT ON COLUMN public.asset_metadata.latitude IS 'Degrees north, WGS 84';

COMMENT ON COLUMN public.asset_metadata.longitude IS 'Degrees east, WGS 84';

COMMENT ON COLUMN public.asset_metadata.make IS 'Of the camera';

COMMENT ON COLUMN public.asset_metadata.model IS 'Of the camera';

COMMENT ON COLUMN public.asset_metadata.lens IS 'Of the camera';

COMMENT ON COLUMN public.asset_metadata.duration_seconds IS 'Of a video, where its header says';

CREATE TABLE public.crawl_failures (
    id bigint NOT NULL,
    work_item_id uuid NOT NULL,
    attempt integer NOT NULL,
    path bytea NOT NULL,
    display_path text NOT NULL,
    reason text NOT NULL,
    message text NOT NULL
);

COMMENT ON TABLE public.crawl_failures IS 'Which files a crawl could not take, for their owner only; readers see the finished attempt''s rows';

COMMENT ON COLUMN public.crawl_failures.id IS 'Order of discovery';

COMMENT ON COLUMN public.crawl_failures.work_item_id IS 'The crawl';

COMMENT ON COLUMN public.crawl_failures.attempt IS 'The attempt of the crawl that wrote the row';

COMMENT ON COLUMN public.crawl_failures.path IS 'Relative to the root, byte for byte';

COMMENT ON COLUMN public.crawl_failures.display_path IS 'The path as text; what is not UTF-8 is replaced';

COMMENT ON COLUMN public.crawl_failures.reason IS 'As the result counts it';

COMMENT ON COLUMN public.crawl_failures.message IS 'What was wrong with the file';

ALTER TABLE public.crawl_failures ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.crawl_failures_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.crawl_in_flight (
    storage_config_id uuid NOT NULL,
    path bytea NOT NULL,
    asset_id uuid NOT NULL,
    work_item_id uuid NOT NULL,
    attempt integer NOT NULL,
    is_in_flight boolean NOT NULL,
    deaths integer DEFAULT 0 NOT NULL,
    CONSTRAINT crawl_in_flight_deaths_check CHECK ((deaths >= 0))
);

COMMENT ON TABLE public.crawl_in_flight IS 'Files being decoded; what is left of a dead run names its suspects and its orphaned proxies';

COMMENT ON COLUMN public.crawl_in_flight.storage_config_id IS 'The folder';

COMMENT ON COLUMN public.crawl_in_flight.path IS 'Relative to the root, byte for byte';

COMMENT ON COLUMN public.crawl_in_flight.asset_id IS 'The asset whose proxies are being written; it may not exist yet';

COMMENT ON COLUMN public.crawl_in_flight.work_item_id IS 'The crawl. No foreign key: the note outlives its item';

COMMENT ON COLUMN public.crawl_in_flight.attempt IS 'The attempt of the crawl';

COMMENT ON COLUMN public.crawl_in_flight.is_in_flight IS 'False once a later run has counted the death, or the run itself has called it off';

COMMENT ON COLUMN public.crawl_in_flight.deaths IS 'How many runs died while the file was in flight';

CREATE TABLE public.log_in_addresses (
    user_id uuid NOT NULL,
    network text NOT NULL,
    last_success_at timestamp with time zone NOT NULL,
    CONSTRAINT log_in_addresses_network_check CHECK (((network <> ''::text) AND (length(network) <= 60)))
);

COMMENT ON TABLE public.log_in_addresses IS 'Where users logged in from lately; attacks from elsewhere do not hold them up there';

COMMENT ON COLUMN public.log_in_addresses.user_id IS 'Who logged in';

COMMENT ON COLUMN public.log_in_addresses.network IS 'From where: an IPv4 address, the /64 of an IPv6 address, or local';

COMMENT ON COLUMN public.log_in_addresses.last_success_at IS 'When they last did; long after that the row is deleted';

CREATE TABLE public.log_in_failures (
    scope text NOT NULL,
    key bytea NOT NULL,
    failures integer NOT NULL,
    last_failed_at timestamp with time zone NOT NULL,
    CONSTRAINT log_in_failures_failures_check CHECK ((failures >= 0)),
    CONSTRAINT log_in_failures_key_check CHECK ((length(key) = 32)),
    CONSTRAINT log_in_failures_scope_check CHECK ((scope = ANY (ARRAY['account'::text, 'address'::text, 'pair'::text])))
);

COMMENT ON TABLE public.log_in_failures IS 'How often log-ins failed lately; whoever has too many waits';

COMMENT ON COLUMN public.log_in_failures.scope IS 'What is counted: a typed name, an address, or one name from one address';

COMMENT ON COLUMN public.log_in_failures.key IS 'SHA-256 of the typed name in lower case, of the address, or of both';

COMMENT ON COLUMN public.log_in_failures.failures IS 'Failures since there was a long pause; attempts that are being checked count too';

COMMENT ON COLUMN public.log_in_failures.last_failed_at IS 'When the newest began; after a long pause the row is deleted';

CREATE TABLE public.media_assets (
    id uuid NOT NULL,
    storage_config_id uuid NOT NULL,
    media_type text NOT NULL,
    format text NOT NULL,
    content_size bigint NOT NULL,
    content_hash text NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    blurhash text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    deleted_at timestamp with time zone,
    content_identifier text,
    still_id uuid,
    CONSTRAINT media_assets_content_hash_check CHECK ((content_hash ~ '^[0-9a-f]{16}$'::text)),
    CONSTRAINT media_assets_content_identifier_check CHECK (((length(content_identifier) >= 1) AND (length(content_identifier) <= 100))),
    CONSTRAINT media_assets_content_size_check CHECK ((content_size > 0)),
    CONSTRAINT media_assets_format_check CHECK ((format <> ''::text)),
    CONSTRAINT media_assets_height_check CHECK ((height > 0)),
    CONSTRAINT media_assets_media_type_check CHECK ((media_type <> ''::text)),
    CONSTRAINT media_assets_width_check CHECK ((width > 0)),
    CONSTRAINT only_videos_have_a_still CHECK (((still_id IS NULL) OR (media_type = 'Video'::text)))
);

COMMENT ON TABLE public.media_assets IS 'One picture of one storage config, whatever the paths that hold it';

COMMENT ON COLUMN public.media_assets.id IS 'Random UUID, so that proxy folders spread evenly; kept for the life of the asset';

COMMENT ON COLUMN public.media_assets.storage_config_id IS 'Whose folder it was found in';

COMMENT ON COLUMN public.media_assets.media_type IS 'Image, LivePhoto or Video; what it is to its owner';

COMMENT ON COLUMN public.media_assets.format IS 'How the original is encoded, told from its content';

COMMENT ON COLUMN public.media_assets.content_size IS 'Bytes of the original; identity together with the hash';

COMMENT ON COLUMN public.media_assets.content_hash IS 'XXH64 of the original, 16 hexadecimal digits';

COMMENT ON COLUMN public.media_assets.width IS 'Pixels, as displayed';

COMMENT ON COLUMN public.media_assets.height IS 'Pixels, as displayed';

COMMENT ON COLUMN public.media_assets.blurhash IS 'Placeholder of 4 by 3 components';

COMMENT ON COLUMN public.media_assets.created_at IS 'When it was first ingested';

COMMENT ON COLUMN public.media_assets.updated_at IS 'When its content, its path or its presence last changed';

COMMENT ON COLUMN public.media_assets.deleted_at IS 'Since when no file holds it; null = living. It comes back with its file';

COMMENT ON COLUMN public.media_assets.content_identifier IS 'Apple''s identifier, the same in both halves of a Live Photo';

COMMENT ON COLUMN public.media_assets.still_id IS 'Of a video: the Live Photo whose moving half it is; null = a video of its own';

CREATE TABLE public.missing_allowances (
    storage_config_id uuid NOT NULL,
    allowed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.missing_allowances IS 'Configs whose next complete crawl may take most of the library, or all of it, for missing';

COMMENT ON COLUMN public.missing_allowances.storage_config_id IS 'The folder';

COMMENT ON COLUMN public.missing_allowances.allowed_at IS 'When an admin allowed it; a crawl uses up only the one that it found when it began';

CREATE TABLE public.pairing_due (
    storage_config_id uuid NOT NULL
);

COMMENT ON TABLE public.pairing_due IS 'Configs in which something changed since their Live Photos were last paired';

COMMENT ON COLUMN public.pairing_due.storage_config_id IS 'The folder';

CREATE TABLE public.proxy_files (
    asset_id uuid NOT NULL,
    kind text NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT proxy_files_bytes_check CHECK ((bytes > 0)),
    CONSTRAINT proxy_files_height_check CHECK ((height > 0)),
    CONSTRAINT proxy_files_kind_check CHECK ((kind = ANY (ARRAY['thumbnail'::text, 'preview'::text]))),
    CONSTRAINT proxy_files_width_check CHECK ((width > 0))
);

COMMENT ON TABLE public.proxy_files IS 'The proxies that were written for an asset; their place follows from its id';

COMMENT ON COLUMN public.proxy_files.asset_id IS 'The asset';

COMMENT ON COLUMN public.proxy_files.kind IS 'thumbnail or preview';

COMMENT ON COLUMN public.proxy_files.width IS 'Pixels';

COMMENT ON COLUMN public.proxy_files.height IS 'Pixels';

COMMENT ON COLUMN public.proxy_files.bytes IS 'Size of the file';

CREATE TABLE public.refresh_tokens (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    family_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    issued_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT refresh_tokens_token_hash_check CHECK ((length(token_hash) = 32))
);

COMMENT ON TABLE public.refresh_tokens IS 'Long-lived tokens that buy new access tokens, each usable once';

COMMENT ON COLUMN public.refresh_tokens.id IS 'UUID v7';

COMMENT ON COLUMN public.refresh_tokens.user_id IS 'Whose token it is';

COMMENT ON COLUMN public.refresh_tokens.family_id IS 'All tokens that descend from one log-in';

COMMENT ON COLUMN public.refresh_tokens.token_hash IS 'SHA-256 of the token; the token itself is not kept';

COMMENT ON COLUMN public.refresh_tokens.issued_at IS 'When it was handed out';

COMMENT ON COLUMN public.refresh_tokens.expires_at IS 'From when on it is worthless; TokenCleanup deletes it';

COMMENT ON COLUMN public.refresh_tokens.used_at IS 'When it was exchanged; presented again, the family is revoked';

COMMENT ON COLUMN public.refresh_tokens.revoked_at IS 'When it was revoked by log-out or by reuse';

CREATE TABLE public.source_files (
    id bigint NOT NULL,
    storage_config_id uuid NOT NULL,
    path bytea NOT NULL,
    display_path text NOT NULL,
    size bigint NOT NULL,
    mtime_ns bigint NOT NULL,
    outcome text NOT NULL,
    reason text,
    message text,
    content_hash text,
    media_type text,
    asset_id uuid,
    missing_at timestamp with time zone,
    pair_name uuid GENERATED ALWAYS AS (
CASE
    WHEN (display_path ~* '\.(heic|heif|jpg|jpeg|mov)$'::text) THEN (md5((regexp_replace(encode(path, 'escape'::text), '[^/]*$'::text, ''::text) || lower(regexp_replace(regexp_replace(
    CASE
        WHEN (POSITION((chr(65533)) IN (display_path)) > 0) THEN encode(path, 'escape'::text)
        ELSE display_path
    END, '^.*/'::text, ''::text), '\.[^.]*$'::text, ''::text)))))::uuid
    ELSE NULL::uuid
END) STORED,
    CONSTRAINT asset_known_where_held CHECK (((outcome <> ALL (ARRAY['asset'::text, 'duplicate'::text])) OR ((content_hash IS NOT NULL) AND (media_type IS NOT NULL)))),
    CONSTRAINT reason_exactly_without_asset CHECK (((outcome = ANY (ARRAY['skipped'::text, 'failed'::text])) = (reason IS NOT NULL))),
    CONSTRAINT source_files_content_hash_check CHECK ((content_hash ~ '^[0-9a-f]{16}$'::text)),
    CONSTRAINT source_files_outcome_check CHECK ((outcome = ANY (ARRAY['asset'::text, 'duplicate'::text, 'skipped'::text, 'failed'::text]))),
    CONSTRAINT source_files_path_check CHECK ((length(path) > 0)),
    CONSTRAINT source_files_size_check CHECK ((size >= 0))
);

COMMENT ON TABLE public.source_files IS 'One row for each file that a crawl saw: its signature and what became of it';

COMMENT ON COLUMN public.source_files.id IS 'Internal';

COMMENT ON COLUMN public.source_files.storage_config_id IS 'The folder that it lies in';

COMMENT ON COLUMN public.source_files.path IS 'Relative to the root, byte for byte';

COMMENT ON COLUMN public.source_files.display_path IS 'The path as text for its owner; what is not UTF-8 is replaced';

COMMENT ON COLUMN public.source_files.size IS 'Bytes; a part of the signature';

COMMENT ON COLUMN public.source_files.mtime_ns IS 'Modification time in ns since 1970; a part of the signature. Never ctime';

COMMENT ON COLUMN public.source_files.outcome IS 'asset: holds one; duplicate: of the asset; skipped or failed: until the signature changes';

COMMENT ON COLUMN public.source_files.reason IS 'Why it was skipped or failed, as the result counts it';

COMMENT ON COLUMN public.source_files.message IS 'What was wrong with a failed file, for its owner';

COMMENT ON COLUMN public.source_files.content_hash IS 'XXH64 of what was read; null = never opened';

COMMENT ON COLUMN public.source_files.media_type IS 'Image or Video: the file''s, so that unchanged files are counted without a join';

COMMENT ON COLUMN public.source_files.asset_id IS 'The asset; for a failed or skipped file the one that it held and may hold again';

COMMENT ON COLUMN public.source_files.missing_at IS 'Since when the file of an asset is gone; null = there';

COMMENT ON COLUMN public.source_files.pair_name IS 'Digest of folder and base name without regard to case; the halves of a Live Photo share it';

ALTER TABLE public.source_files ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.source_files_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.storage_configs (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    root_path text NOT NULL,
    time_zone text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    removal_began_at timestamp with time zone,
    CONSTRAINT storage_configs_root_path_check CHECK ((root_path ~~ '/%'::text))
);

COMMENT ON TABLE public.storage_configs IS 'One folder of one user''s originals';

COMMENT ON COLUMN public.storage_configs.id IS 'UUID v7; the scope of the work on this folder';

COMMENT ON COLUMN public.storage_configs.user_id IS 'The owner';

COMMENT ON COLUMN public.storage_configs.root_path IS 'Absolute, normalised; not inside another config''s';

COMMENT ON COLUMN public.storage_configs.time_zone IS 'IANA name; dates without a zone are read in it';

COMMENT ON COLUMN public.storage_configs.is_active IS 'False: neither scheduled nor claimed';

COMMENT ON COLUMN public.storage_configs.created_at IS 'When the folder was registered';

COMMENT ON COLUMN public.storage_configs.removal_began_at IS 'Since when it is being removed, in batches; null = it stays';

CREATE TABLE public.users (
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    is_admin boolean DEFAULT false NOT NULL,
    is_disabled boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT users_email_check CHECK (((email <> ''::text) AND (length(email) <= 320))),
    CONSTRAINT users_name_check CHECK (((name <> ''::text) AND (length(name) <= 100)))
);

COMMENT ON TABLE public.users IS 'People who may log in; each owns storage configs';

COMMENT ON COLUMN public.users.id IS 'UUID v7';

COMMENT ON COLUMN public.users.name IS 'Log-in name, unique whatever the case';

COMMENT ON COLUMN public.users.email IS 'E-mail address, unique whatever the case; also a log-in name';

COMMENT ON COLUMN public.users.password_hash IS 'argon2id';

COMMENT ON COLUMN public.users.is_admin IS 'May use the admin API';

COMMENT ON COLUMN public.users.is_disabled IS 'May not log in; its storage configs count as inactive';

COMMENT ON COLUMN public.users.created_at IS 'When the user was added';

CREATE TABLE public.work_item_removals (
    id uuid NOT NULL,
    removed_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.work_item_removals IS 'Unfinished items that were deleted with their storage config, so that live views can be told';

COMMENT ON COLUMN public.work_item_removals.id IS 'The work item that is gone';

COMMENT ON COLUMN public.work_item_removals.removed_at IS 'When; in the same order as work_items.updated_at';

CREATE TABLE public.work_items (
    id uuid NOT NULL,
    kind text NOT NULL,
    payload jsonb NOT NULL,
    storage_config_id uuid,
    dedup_key text,
    requested_by uuid,
    requested_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    status text DEFAULT 'Queued'::text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    stalls integer DEFAULT 0 NOT NULL,
    claimed_by text,
    started_at timestamp with time zone,
    lease_until timestamp with time zone,
    finished_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    cancel_requested_at timestamp with time zone,
    progress_done bigint,
    progress_total bigint,
    progress_note text,
    result jsonb,
    error text,
    CONSTRAINT error_only_when_failed_or_cancelled CHECK (((error IS NULL) OR (status = ANY (ARRAY['Failed'::text, 'Cancelled'::text])))),
    CONSTRAINT finished_at_exactly_when_finished CHECK (((status = ANY (ARRAY['Succeeded'::text, 'Failed'::text, 'Cancelled'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT leased_exactly_while_running CHECK (((status = 'Running'::text) = (lease_until IS NOT NULL))),
    CONSTRAINT no_cancel_request_while_queued CHECK (((status <> 'Queued'::text) OR (cancel_requested_at IS NULL))),
    CONSTRAINT result_only_when_succeeded_or_cancelled CHECK (((result IS NULL) OR (status = ANY (ARRAY['Succeeded'::text, 'Cancelled'::text])))),
    CONSTRAINT work_items_attempt_check CHECK ((attempt >= 0)),
    CONSTRAINT work_items_dedup_key_check CHECK (((length(dedup_key) >= 1) AND (length(dedup_key) <= 200))),
    CONSTRAINT work_items_kind_check CHECK (((kind <> ''::text) AND (length(kind) <= 100))),
    CONSTRAINT work_items_payload_check CHECK ((jsonb_typeof(payload) = 'object'::text)),
    CONSTRAINT work_items_progress_done_check CHECK ((progress_done >= 0)),
    CONSTRAINT work_items_progress_note_check CHECK ((length(progress_note) <= 200)),
    CONSTRAINT work_items_progress_total_check CHECK ((progress_total >= 0)),
    CONSTRAINT work_items_result_check CHECK ((jsonb_typeof(result) = 'object'::text)),
    CONSTRAINT work_items_stalls_check CHECK ((stalls >= 0)),
    CONSTRAINT work_items_status_check CHECK ((status = ANY (ARRAY['Queued'::text, 'Running'::text, 'Succeeded'::text, 'Failed'::text, 'Cancelled'::text])))
)
WITH (fillfactor='80');
ALTER TABLE ONLY public.work_items ALTER COLUMN requested_at SET STATISTICS 0;

COMMENT ON TABLE public.work_items IS 'Requests for work: inserted by the enqueue path, run by Workers. All times are this database''s clock';

COMMENT ON COLUMN public.work_items.id IS 'UUID v7';

COMMENT ON COLUMN public.work_items.kind IS 'What sort of work; unknown kinds wait, hence no check';

COMMENT ON COLUMN public.work_items.payload IS 'The kind''s typed arguments, at most 64 KiB';

COMMENT ON COLUMN public.work_items.storage_config_id IS 'The scope; null = unscoped';

COMMENT ON COLUMN public.work_items.dedup_key IS 'While one with this key waits, no second is inserted; null = never coalesces';

COMMENT ON COLUMN public.work_items.requested_by IS 'User who asked; null = scheduled. No foreign key: a deleted user''s requests stay requests';

COMMENT ON COLUMN public.work_items.requested_at IS 'When it was asked for; claims go in this order';

COMMENT ON COLUMN public.work_items.status IS 'Queued, Running, Succeeded, Failed or Cancelled; the last three are final';

COMMENT ON COLUMN public.work_items.attempt IS 'Count of claims and fencing token; it never goes down';

COMMENT ON COLUMN public.work_items.stalls IS 'How often a claim of it died';

COMMENT ON COLUMN public.work_items.claimed_by IS 'For display: whom the last Worker serves, at which host';

COMMENT ON COLUMN public.work_items.started_at IS 'When the current or last claim was made';

COMMENT ON COLUMN public.work_items.lease_until IS 'Until when the claim is believed without a sign of life; in no index, so that heartbeats stay HOT';

COMMENT ON COLUMN public.work_items.finished_at IS 'When it ended';

COMMENT ON COLUMN public.work_items.updated_at IS 'When something that a reader can see last changed; the cursor of the live view. Only moves forward';

COMMENT ON COLUMN public.work_items.cancel_requested_at IS 'When the first request to cancel the running item came';

COMMENT ON COLUMN public.work_items.progress_done IS 'Newest progress: how much is done';

COMMENT ON COLUMN public.work_items.progress_total IS 'Newest progress: of how much; null = unknown';

COMMENT ON COLUMN public.work_items.progress_note IS 'Newest progress: a short note without media names';

COMMENT ON COLUMN public.work_items.result IS 'Counts and facts; partial when the item was cancelled';

COMMENT ON COLUMN public.work_items.error IS 'Why it failed or was superseded; never a path';

CREATE TABLE public.workers (
    id uuid NOT NULL,
    name text NOT NULL,
    user_id uuid,
    host text NOT NULL,
    version text NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    item_id uuid,
    stopped_at timestamp with time zone
)
WITH (fillfactor='50');

COMMENT ON TABLE public.workers IS 'Worker processes, for admins to look at; no decision hangs on it';

COMMENT ON COLUMN public.workers.id IS 'One process from its start to its end';

COMMENT ON COLUMN public.workers.name IS 'Whom it serves, at which host, as in work_items.claimed_by';

COMMENT ON COLUMN public.workers.user_id IS 'Whose storage configs it serves; null = everyone''s. No foreign key: it says what the process was started with';

COMMENT ON COLUMN public.workers.host IS 'The machine or container that it runs on';

COMMENT ON COLUMN public.workers.version IS 'Its release';

COMMENT ON COLUMN public.workers.started_at IS 'Its first sign of life';

COMMENT ON COLUMN public.workers.seen_at IS 'Its last sign of life; retention deletes those that are long gone';

COMMENT ON COLUMN public.workers.item_id IS 'The item that it ran at its last sign of life; null = none';

COMMENT ON COLUMN public.workers.stopped_at IS 'When it ended as it was told to; null = it has not said so';

ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);

ALTER TABLE ONLY public.asset_metadata
    ADD CONSTRAINT asset_metadata_pkey PRIMARY KEY (asset_id);

ALTER TABLE ONLY public.crawl_failures
    ADD CONSTRAINT crawl_failures_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.log_in_addresses
    ADD CONSTRAINT log_in_addresses_pkey PRIMARY KEY (user_id, network);

ALTER TABLE ONLY public.log_in_failures
    ADD CONSTRAINT log_in_failures_pkey PRIMARY KEY (scope, key);

ALTER TABLE ONLY public.media_assets
    ADD CONSTRAINT media_assets_content UNIQUE (storage_config_id, content_size, content_hash);

ALTER TABLE ONLY public.media_assets
    ADD CONSTRAINT media_assets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.missing_allowances
    ADD CONSTRAINT missing_allowances_pkey PRIMARY KEY (storage_config_id);

ALTER TABLE ONLY public.pairing_due
    ADD CONSTRAINT pairing_due_pkey PRIMARY KEY (storage_config_id);

ALTER TABLE ONLY public.proxy_files
    ADD CONSTRAINT proxy_files_pkey PRIMARY KEY (asset_id, kind);

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.source_files
    ADD CONSTRAINT source_files_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.storage_configs
    ADD CONSTRAINT storage_configs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.storage_configs
    ADD CONSTRAINT storage_configs_root_path_key UNIQUE (root_path);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.work_item_removals
    ADD CONSTRAINT work_item_removals_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.work_items
    ADD CONSTRAINT work_items_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (id);

CREATE INDEX asset_metadata_on_this_day ON public.asset_metadata USING btree (storage_config_id, capture_month, capture_day, capture_year);

COMMENT ON INDEX public.asset_metadata_on_this_day IS 'Flashbacks: the same day of other years';

CREATE INDEX crawl_failures_attempt ON public.crawl_failures USING btree (work_item_id, attempt, id);

CREATE UNIQUE INDEX crawl_in_flight_path ON public.crawl_in_flight USING btree (storage_config_id, sha256(path));

CREATE INDEX log_in_addresses_last_success_at ON public.log_in_addresses USING btree (last_success_at);

CREATE INDEX log_in_failures_last_failed_at ON public.log_in_failures USING btree (last_failed_at);

CREATE INDEX media_assets_content_identifier ON public.media_assets USING btree (storage_config_id, content_identifier) WHERE (content_identifier IS NOT NULL);

CREATE INDEX media_assets_deleted ON public.media_assets USING btree (storage_config_id) WHERE (deleted_at IS NOT NULL);

CREATE INDEX media_assets_live ON public.media_assets USING btree (storage_config_id) WHERE (media_type = 'LivePhoto'::text);

CREATE UNIQUE INDEX media_assets_still_id ON public.media_assets USING btree (still_id) WHERE (still_id IS NOT NULL);

COMMENT ON INDEX public.media_assets_still_id IS 'A Live Photo has one moving half';

CREATE INDEX media_assets_videos ON public.media_assets USING btree (storage_config_id) WHERE (media_type = 'Video'::text);

COMMENT ON INDEX public.media_assets_videos IS 'Pairing looks at videos, of which there are few, and not at every picture';

CREATE INDEX refresh_tokens_expires_at ON public.refresh_tokens USING btree (expires_at);

CREATE INDEX refresh_tokens_family_id ON public.refresh_tokens USING btree (family_id);

CREATE INDEX refresh_tokens_user_id ON public.refresh_tokens USING btree (user_id);

CREATE INDEX source_files_asset_id ON public.source_files USING btree (asset_id);

COMMENT ON INDEX public.source_files_asset_id IS 'Whole, not partial: the foreign key looks here for each asset that is deleted';

CREATE INDEX source_files_duplicates ON public.source_files USING btree (storage_config_id) WHERE (outcome = 'duplicate'::text);

CREATE INDEX source_files_failed ON public.source_files USING btree (storage_config_id) WHERE (outcome = 'failed'::text);

CREATE UNIQUE INDEX source_files_holder ON public.source_files USING btree (asset_id) INCLUDE (storage_config_id, id) WHERE (outcome = 'asset'::text);

COMMENT ON INDEX public.source_files_holder IS 'One path holds an asset, every other one is a duplicate';

CREATE INDEX source_files_pair_name ON public.source_files USING btree (storage_config_id, pair_name) WHERE ((pair_name IS NOT NULL) AND (outcome = ANY (ARRAY['asset'::text, 'duplicate'::text])));

CREATE UNIQUE INDEX source_files_path ON public.source_files USING btree (storage_config_id, sha256(path));

COMMENT ON INDEX public.source_files_path IS 'By digest: a path may be longer than an index entry';

CREATE INDEX storage_configs_user_id ON public.storage_configs USING btree (user_id);

CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));

CREATE UNIQUE INDEX users_name_key ON public.users USING btree (lower(name));

CREATE INDEX work_item_removals_changes ON public.work_item_removals USING btree (removed_at, id);

CREATE INDEX work_items_changes ON public.work_items USING btree (updated_at, id);

COMMENT ON INDEX public.work_items_changes IS 'The live view';

CREATE INDEX work_items_claim ON public.work_items USING btree (COALESCE(storage_config_id, '00000000-0000-0000-0000-000000000000'::uuid), ((kind || ''::text)), requested_at, id) WHERE ((status = 'Queued'::text) IS TRUE);

COMMENT ON INDEX public.work_items_claim IS 'The head of each (scope, kind) without reading anybody else''s backlog';

CREATE INDEX work_items_due ON public.work_items USING btree (dedup_key, finished_at DESC) WHERE (dedup_key IS NOT NULL);

COMMENT ON INDEX public.work_items_due IS 'Due-ness of periodic kinds';

CREATE INDEX work_items_finished ON public.work_items USING btree (finished_at, id) WHERE (finished_at IS NOT NULL);

COMMENT ON INDEX public.work_items_finished IS 'Retention';

CREATE INDEX work_items_given_back ON public.work_items USING btree (requested_at, id) INCLUDE (kind, storage_config_id, attempt) WHERE (((status = 'Queued'::text) IS TRUE) AND (attempt > 0));

COMMENT ON INDEX public.work_items_given_back IS 'Queued items that were claimed before: older than where claims begin their look';

CREATE INDEX work_items_list ON public.work_items USING btree (requested_at DESC, id DESC);

CREATE INDEX work_items_list_by_kind ON public.work_items USING btree (kind, status, requested_at DESC, id DESC);

CREATE INDEX work_items_list_by_scope ON public.work_items USING btree (storage_config_id, kind, status, requested_at DESC, id DESC);

COMMENT ON INDEX public.work_items_list_by_scope IS 'The list and the counts of one scope; the removal of a storage config';

CREATE INDEX work_items_list_by_status ON public.work_items USING btree (status, requested_at DESC, id DESC);

CREATE UNIQUE INDEX work_items_queued_dedup_key ON public.work_items USING btree (dedup_key) WHERE ((status = 'Queued'::text) AND (dedup_key IS NOT NULL));

COMMENT ON INDEX public.work_items_queued_dedup_key IS 'Coalescing: racing callers agree on one waiting item';

CREATE INDEX work_items_running ON public.work_items USING btree (id) WHERE (status = 'Running'::text);

COMMENT ON INDEX public.work_items_running IS 'Recovery and leases; not on lease_until, which would end HOT updates';

CREATE TRIGGER work_items_note_removal AFTER DELETE ON public.work_items FOR EACH ROW WHEN ((old.finished_at IS NULL)) EXECUTE FUNCTION public.note_work_item_removal();

CREATE TRIGGER work_items_only_cancel BEFORE UPDATE ON public.work_items FOR EACH ROW WHEN ((NOT has_column_privilege(('public.work_items'::regclass)::oid, 'lease_until'::text, 'UPDATE'::text))) EXECUTE FUNCTION public.refuse_all_but_cancel();

ALTER TABLE ONLY public.asset_metadata
    ADD CONSTRAINT asset_metadata_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES public.media_assets(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.asset_metadata
    ADD CONSTRAINT asset_metadata_storage_config_id_fkey FOREIGN KEY (storage_config_id) REFERENCES public.storage_configs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_failures
    ADD CONSTRAINT crawl_failures_work_item_id_fkey FOREIGN KEY (work_item_id) REFERENCES public.work_items(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crawl_in_flight
    ADD CONSTRAINT crawl_in_flight_storage_config_id_fkey FOREIGN KEY (storage_config_id) REFERENCES public.storage_configs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.log_in_addresses
    ADD CONSTRAINT log_in_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.media_assets
    ADD CONSTRAINT media_assets_still FOREIGN KEY (still_id) REFERENCES public.media_assets(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.media_assets
    ADD CONSTRAINT media_assets_storage_config_id_fkey FOREIGN KEY (storage_config_id) REFERENCES public.storage_configs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.missing_allowances
    ADD CONSTRAINT missing_allowances_storage_config_id_fkey FOREIGN KEY (storage_config_id) REFERENCES public.storage_configs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pairing_due
    ADD CONSTRAINT pairing_due_storage_config_id_fkey FOREIGN KEY (storage_config_id) REFERENCES public.storage_configs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.proxy_files
    ADD CONSTRAINT proxy_files_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES public.media_assets(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.source_files
    ADD CONSTRAINT source_files_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES public.media_assets(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.source_files
    ADD CONSTRAINT source_files_storage_config_id_fkey FOREIGN KEY (storage_config_id) REFERENCES public.storage_configs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.storage_configs
    ADD CONSTRAINT storage_configs_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.work_items
    ADD CONSTRAINT work_items_storage_config_id_fkey FOREIGN KEY (storage_config_id) REFERENCES public.storage_configs(id) ON DELETE CASCADE;
