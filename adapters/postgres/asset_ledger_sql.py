"""The statements of the ledger."""

from typing import Final

from sqlalchemy import text

from adapters.postgres.source_file_sql import IS_THERE

COUNT_DEATHS: Final = text("""
UPDATE crawl_in_flight SET deaths = deaths + 1, is_in_flight = false
WHERE storage_config_id = :config AND is_in_flight
  AND (work_item_id, attempt) <> (:item, :attempt)
""")

LEFTOVERS: Final = text("""
SELECT f.asset_id, EXISTS (SELECT FROM media_assets a WHERE a.id = f.asset_id) AS is_asset
FROM crawl_in_flight f WHERE f.storage_config_id = :config
""")

KNOWN_PATH: Final = text(f"""
SELECT k.outcome, k.size, k.content_hash, k.asset_id,
    k.outcome <> 'duplicate' AND NOT EXISTS (
        SELECT FROM source_files s
        WHERE s.asset_id = k.asset_id AND s.outcome = 'asset' AND s.id <> k.id
    ) AND NOT EXISTS (
        SELECT FROM source_files s
        WHERE s.asset_id = k.asset_id AND s.outcome = 'duplicate' AND {IS_THERE}
    ) AND NOT EXISTS (
        SELECT FROM crawl_changes c JOIN media_assets a ON a.id = k.asset_id
        WHERE c.size = a.content_size AND c.xxh64 = a.content_hash AND c.path <> k.path
    ) AS is_replaceable
FROM source_files k
WHERE k.storage_config_id = :config AND sha256(k.path) = sha256(:path)
FOR UPDATE OF k
""")  # noqa: S608  # constants

KNOWN_CONTENT: Final = text(f"""
SELECT a.id, CASE a.media_type WHEN 'Video' THEN 'Video' ELSE 'Image' END AS media_type,
    a.deleted_at IS NOT NULL AS is_missing,
    EXISTS (
        SELECT FROM source_files s
        WHERE s.asset_id = a.id AND s.outcome = 'asset' AND s.path <> :path AND {IS_THERE}
    ) AS is_held_elsewhere
FROM media_assets a
WHERE a.storage_config_id = :config AND a.content_size = :size AND a.content_hash = :xxh64
FOR UPDATE OF a
""")  # noqa: S608  # constants

DEATHS: Final = text("""
SELECT deaths FROM crawl_in_flight
WHERE storage_config_id = :config AND sha256(path) = sha256(:path)
""")

TAKE_OFF: Final = text("""
INSERT INTO crawl_in_flight
    (storage_config_id, path, asset_id, work_item_id, attempt, is_in_flight)
VALUES (:config, :path, :asset_id, :item, :attempt, true)
ON CONFLICT (storage_config_id, sha256(path)) DO UPDATE SET
    asset_id = excluded.asset_id, work_item_id = excluded.work_item_id,
    attempt = excluded.attempt, is_in_flight = true
""")

# What is not in flight is no death to the next run, which sweeps its proxies all the same.
CALL_OFF: Final = text("""
UPDATE crawl_in_flight SET is_in_flight = false
WHERE storage_config_id = :config AND sha256(path) = sha256(:path)
""")

LAND: Final = text("""
DELETE FROM crawl_in_flight WHERE storage_config_id = :config AND sha256(path) = sha256(:path)
""")

REVIVE: Final = text("""
UPDATE media_assets SET deleted_at = NULL, updated_at = clock_timestamp() WHERE id = :asset_id
""")

WAS_MISSING: Final = text("""
SELECT deleted_at IS NOT NULL FROM media_assets WHERE id = :asset_id FOR UPDATE
""")

SAVE_ASSET: Final = text("""
INSERT INTO media_assets (
    id, storage_config_id, media_type, format, content_size, content_hash, content_identifier,
    width, height, blurhash
)
VALUES (
    :asset_id, :config, :media_type, :format, :content_size, :content_hash, :content_identifier,
    :width, :height, :blurhash
)
ON CONFLICT (id) DO UPDATE SET
    media_type = excluded.media_type, format = excluded.format,
    content_size = excluded.content_size, content_hash = excluded.content_hash,
    content_identifier = excluded.content_identifier, still_id = NULL,
    width = excluded.width, height = excluded.height, blurhash = excluded.blurhash,
    updated_at = clock_timestamp(), deleted_at = NULL
""")

SAVE_METADATA: Final = text("""
INSERT INTO asset_metadata (
    asset_id, storage_config_id, captured_at, capture_offset_seconds, capture_source,
    is_estimated, capture_year, capture_month, capture_day, rotation_degrees, is_mirrored,
    latitude, longitude, make, model, lens, duration_seconds
)
VALUES (
    :asset_id, :config, :captured_at, :capture_offset_seconds, :capture_source,
    :is_estimated, :capture_year, :capture_month, :capture_day, :rotation_degrees, :is_mirrored,
    :latitude, :longitude, :make, :model, :lens, :duration_seconds
)
ON CONFLICT (asset_id) DO UPDATE SET
    captured_at = excluded.captured_at,
    capture_offset_seconds = excluded.capture_offset_seconds,
    capture_source = excluded.capture_source, is_estimated = excluded.is_estimated,
    capture_year = excluded.capture_year, capture_month = excluded.capture_month,
    capture_day = excluded.capture_day, rotation_degrees = excluded.rotation_degrees,
    is_mirrored = excluded.is_mirrored, latitude = excluded.latitude,
    longitude = excluded.longitude, make = excluded.make, model = excluded.model,
    lens = excluded.lens, duration_seconds = excluded.duration_seconds
""")

SAVE_PROXY: Final = text("""
INSERT INTO proxy_files (asset_id, kind, width, height, bytes)
VALUES (:asset_id, :kind, :width, :height, :bytes)
ON CONFLICT (asset_id, kind) DO UPDATE SET
    width = excluded.width, height = excluded.height, bytes = excluded.bytes
""")

REPORT_FAILURE: Final = text("""
INSERT INTO crawl_failures (work_item_id, attempt, path, display_path, reason, message)
VALUES (:item, :attempt, :path, :display_path, :reason, :message)
""")
