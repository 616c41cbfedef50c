"""The statements of a listing: temporary tables, and the comparison by signature."""

from typing import Final

from sqlalchemy import text

BEGIN: Final = text("""
CREATE TEMPORARY TABLE crawl_listing (
    number bigint, path bytea, size bigint, mtime_ns bigint, skipped text
);
CREATE TEMPORARY TABLE crawl_unreadable (folder bytea);
""")

COPY: Final = "COPY crawl_listing (number, path, size, mtime_ns, skipped) FROM STDIN"

ADD_UNREADABLE: Final = text("INSERT INTO crawl_unreadable (folder) VALUES (:folder)")

# The sorts and hashes of a large library fit; compiling the plans would take longer than they run.
FOR_LARGE_SETS: Final = text("SET LOCAL work_mem = '64MB'; SET LOCAL jit = off;")

ANALYZE_LISTING: Final = text("ANALYZE crawl_listing")

# A file that was skipped for its name alone is looked at by the first release that knows the name.
FIND_CHANGES: Final = text("""
CREATE TEMPORARY TABLE crawl_changes AS
SELECT l.number, l.path, l.size, l.mtime_ns, l.skipped,
       k.id AS known_id, k.size AS known_size, k.content_hash AS known_hash,
       NULL::text AS xxh64, false AS is_suspect, false AS is_hashed_first
FROM crawl_listing l
LEFT JOIN source_files k ON k.storage_config_id = :config AND k.path = l.path
WHERE k.id IS NULL OR k.size <> l.size OR k.mtime_ns <> l.mtime_ns
   OR (k.reason IS NOT DISTINCT FROM 'unsupported')
   <> (l.skipped IS NOT DISTINCT FROM 'unsupported')
""")

FIND_GONE: Final = text("""
CREATE TEMPORARY TABLE crawl_gone AS
SELECT k.id, k.missing_at IS NULL AND is_outside AS is_outside,
       k.missing_at IS NOT NULL OR NOT is_outside AS is_absent
FROM source_files k
LEFT JOIN crawl_listing l ON l.path = k.path
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM crawl_unreadable u
        WHERE substring(k.path FOR length(u.folder)) = u.folder
    ) AS is_outside
) below
WHERE k.storage_config_id = :config AND l.path IS NULL
""")

PREPARE_CHANGES: Final = text("""
CREATE INDEX ON crawl_changes (number);
CREATE INDEX ON crawl_changes (known_id);
CREATE INDEX ON crawl_changes (size, xxh64);
CREATE INDEX ON crawl_gone (id);
ANALYZE crawl_changes;
ANALYZE crawl_gone;
""")

# A new file may be a changed one's old content under another name only where the sizes agree.
MARK_HASHED_FIRST: Final = text("""
UPDATE crawl_changes c SET is_hashed_first = true
WHERE c.skipped IS NULL AND (
    c.known_hash IS NOT NULL
    OR c.size IN (SELECT o.known_size FROM crawl_changes o WHERE o.known_hash IS NOT NULL)
)
""")

MARK_SUSPECTS: Final = text("""
UPDATE crawl_changes c SET is_suspect = true
FROM crawl_in_flight f
WHERE f.storage_config_id = :config AND f.path = c.path AND f.deaths > 0
""")

FORGET_SUSPECTS: Final = text("""
DELETE FROM crawl_in_flight f
WHERE f.storage_config_id = :config
  AND NOT EXISTS (SELECT FROM crawl_changes c WHERE c.path = f.path AND c.skipped IS NULL)
""")

_UNCHANGED = """
FROM source_files k
WHERE k.storage_config_id = :config
  AND NOT EXISTS (SELECT FROM crawl_changes c WHERE c.known_id = k.id)
  AND NOT EXISTS (SELECT FROM crawl_gone g WHERE g.id = k.id)
"""

COUNT_UNCHANGED: Final = text(
    f"SELECT k.outcome, k.reason, k.media_type, count(*) AS files {_UNCHANGED} GROUP BY 1, 2, 3"
)

REPEAT_FAILURES: Final = text(f"""
INSERT INTO crawl_failures (work_item_id, attempt, path, display_path, reason, message)
SELECT :item, :attempt, k.path, k.display_path, k.reason, coalesce(k.message, k.reason)
{_UNCHANGED} AND k.outcome = 'failed'
ORDER BY k.id
""")

COUNT_ELSE: Final = text("""
SELECT (SELECT count(*) FROM crawl_changes WHERE skipped IS NULL) AS changes,
       (SELECT count(*) FROM crawl_gone WHERE is_outside) AS outside,
       (SELECT count(*) FROM media_assets
        WHERE storage_config_id = :config AND deleted_at IS NULL) AS living
""")

READ_SKIPPED: Final = text("""
SELECT number, path, size, mtime_ns, skipped FROM crawl_changes
WHERE skipped IS NOT NULL AND number > :after ORDER BY number LIMIT :limit
""")

READ_HASHED_FIRST: Final = text("""
SELECT number, path, size, mtime_ns, xxh64, is_suspect FROM crawl_changes
WHERE is_hashed_first AND number > :after ORDER BY number LIMIT :limit
""")

READ_TO_INGEST: Final = text("""
SELECT number, path, size, mtime_ns, xxh64, is_suspect FROM crawl_changes
WHERE skipped IS NULL AND is_suspect = :suspects AND number > :after
ORDER BY number LIMIT :limit
""")

NOTE_HASH: Final = text("UPDATE crawl_changes SET xxh64 = :xxh64 WHERE number = :number")
