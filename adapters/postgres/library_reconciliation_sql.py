"""The statements of the reconciliation. `crawl_gone` says which files are not there."""

from typing import Final

from sqlalchemy import text

_IS_THERE: Final = "NOT EXISTS (SELECT FROM crawl_gone g WHERE g.id = s.id AND g.is_absent)"

FORGET_GONE: Final = text("""
DELETE FROM source_files WHERE id IN (
    SELECT s.id FROM source_files s JOIN crawl_gone g ON g.id = s.id
    WHERE g.is_absent AND s.outcome <> 'asset' LIMIT :limit
)
""")

FIND_HEIRS: Final = text(f"""
SELECT min(s.id) AS heir, s.asset_id FROM source_files s
WHERE s.storage_config_id = :config AND s.outcome = 'duplicate' AND {_IS_THERE}
  AND NOT EXISTS (
    SELECT FROM source_files h
    WHERE h.asset_id = s.asset_id AND h.outcome = 'asset'
      AND NOT EXISTS (SELECT FROM crawl_gone g WHERE g.id = h.id AND g.is_absent)
  )
GROUP BY s.asset_id LIMIT :limit
""")  # noqa: S608  # constants

DROP_FORMER_HOLDERS: Final = text("""
DELETE FROM source_files WHERE asset_id = ANY(:assets) AND outcome = 'asset'
""")

PROMOTE: Final = text("""
UPDATE source_files SET outcome = 'asset' WHERE id = ANY(:heirs)
""")

FIND_RETURNED: Final = text(f"""
SELECT a.id FROM media_assets a
JOIN source_files s ON s.asset_id = a.id AND s.outcome = 'asset'
WHERE a.storage_config_id = :config AND a.deleted_at IS NOT NULL AND {_IS_THERE}
LIMIT :limit
""")  # noqa: S608  # constants

REVIVE: Final = text("""
UPDATE media_assets SET deleted_at = NULL, updated_at = clock_timestamp() WHERE id = ANY(:assets)
""")

FILES_ARE_BACK: Final = text("""
UPDATE source_files SET missing_at = NULL WHERE asset_id = ANY(:assets) AND outcome = 'asset'
""")

# Every file that is there and holds an asset holds a living one, once the returned are restored;
# so the difference of cheap counts is what a join of the two tables would count.
DEPARTURES: Final = text("""
SELECT living, living - (holders - absent) AS going FROM
    (SELECT count(*) AS living FROM media_assets
     WHERE storage_config_id = :config AND deleted_at IS NULL) AS assets,
    (SELECT count(*) AS holders FROM source_files
     WHERE storage_config_id = :config AND outcome = 'asset') AS files,
    (SELECT count(*) AS absent FROM crawl_gone g JOIN source_files s ON s.id = g.id
     WHERE g.is_absent AND s.storage_config_id = :config AND s.outcome = 'asset') AS gone
""")

FIND_DEPARTED: Final = text(f"""
SELECT a.id FROM media_assets a
WHERE a.storage_config_id = :config AND a.deleted_at IS NULL
  AND NOT EXISTS (
    SELECT FROM source_files s WHERE s.asset_id = a.id AND s.outcome = 'asset' AND {_IS_THERE}
  )
LIMIT :limit
""")  # noqa: S608  # constants

MARK_MISSING: Final = text("""
UPDATE media_assets SET deleted_at = clock_timestamp(), updated_at = clock_timestamp()
WHERE id = ANY(:assets)
""")

# One that was renewed since this crawl began is for the next.
USE_ALLOWANCE_UP: Final = text("""
DELETE FROM missing_allowances WHERE storage_config_id = :config AND allowed_at = :allowed_at
""")

FILES_ARE_GONE: Final = text("""
UPDATE source_files SET missing_at = clock_timestamp()
WHERE asset_id = ANY(:assets) AND outcome = 'asset'
""")
