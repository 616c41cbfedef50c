"""The statements of a listing: the tables of one crawl, and the comparison by signature."""

from typing import Final

from sqlalchemy import text

BEGIN: Final = text("""
CREATE UNLOGGED TABLE crawl_listing (
    path bytea, size bigint, mtime_ns bigint, skipped text
);
CREATE UNLOGGED TABLE crawl_unreadable (folder bytea);
""")

COPY: Final = "COPY crawl_listing (path, size, mtime_ns, skipped) FROM STDIN (FORMAT BINARY)"

ADD_UNREADABLE: Final = text("INSERT INTO crawl_unreadable (folder) VALUES (:folder)")

# The sorts and hashes of a large library fit; compiling the plans would take longer than they run.
FOR_LARGE_SETS: Final = text("SET LOCAL work_mem = '64MB'; SET LOCAL jit = off;")

# One pass over both sides keeps what differs. A file that was skipped for its name alone is looked
# at by the first release that knows the name. Without statistics the planner goes by the size of
# the listing, which is all it needs here.
FIND_DIFFERENCES: Final = text("""
CREATE UNLOGGED TABLE crawl_differences AS
SELECT l.path IS NOT NULL AS is_listed, coalesce(l.path, k.path) AS path,
       l.size, l.mtime_ns, l.skipped,
       k.id AS known_id, k.size AS known_size, k.content_hash AS known_hash,
       k.outcome, k.reason, k.media_type, k.missing_at IS NOT NULL AS is_missing
FROM crawl_listing l
FULL JOIN (SELECT * FROM source_files WHERE storage_config_id = :config) k ON k.path = l.path
WHERE k.id IS NULL OR l.path IS NULL OR k.size <> l.size OR k.mtime_ns <> l.mtime_ns
   OR (k.reason IS NOT DISTINCT FROM 'unsupported')
   <> (l.skipped IS NOT DISTINCT FROM 'unsupported')
""")

# Whatever differs may make or part a Live Photo; the mark outlasts a crawl that dies before that.
NOTE_DIFFERENCES: Final = text("""
INSERT INTO pairing_due (storage_config_id)
SELECT :config WHERE EXISTS (SELECT FROM crawl_differences) ON CONFLICT DO NOTHING
""")

# In the order of paths, whatever order the file system has: so the halves of a Live Photo come one
# after the other.
FIND_CHANGES: Final = text("""
CREATE UNLOGGED TABLE crawl_changes AS
SELECT row_number() OVER (ORDER BY path) AS number, path, size, mtime_ns, skipped,
       known_id, known_size, known_hash,
       NULL::text AS xxh64, false AS is_suspect, false AS is_hashed_first
FROM crawl_differences WHERE is_listed
""")

FIND_GONE: Final = text("""
CREATE UNLOGGED TABLE crawl_gone AS
SELECT d.known_id AS id, NOT d.is_missing AND below.is_outside AS is_outside,
       d.is_missing OR NOT below.is_outside AS is_absent
FROM crawl_differences d
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM crawl_unreadable u
        WHERE substring(d.path || '/'::bytea FOR length(u.folder)) = u.folder
    ) AS is_outside
) below
WHERE NOT d.is_listed
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

# All that was known, less what differs: cheaper than to look for each file among the differences.
COUNT_UNCHANGED: Final = text("""
SELECT outcome, reason, media_type, sum(files)::bigint AS files FROM (
    SELECT outcome, reason, media_type, count(*) AS files
    FROM source_files WHERE storage_config_id = :config GROUP BY 1, 2, 3
    UNION ALL
    SELECT outcome, reason, media_type, -count(*) FROM crawl_differences
    WHERE known_id IS NOT NULL GROUP BY 1, 2, 3
) counted GROUP BY 1, 2, 3 HAVING sum(files) > 0
""")

REPEAT_FAILURES: Final = text("""
INSERT INTO crawl_failures (work_item_id, attempt, path, display_path, reason, message)
SELECT :item, :attempt, k.path, k.display_path, k.reason, coalesce(k.message, k.reason)
FROM source_files k
WHERE k.storage_config_id = :config AND k.outcome = 'failed'
  AND NOT EXISTS (SELECT FROM crawl_differences d WHERE d.known_id = k.id)
ORDER BY k.id
""")

COUNT_ELSE: Final = text("""
SELECT (SELECT count(*) FROM crawl_gone WHERE is_outside) AS outside,
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
