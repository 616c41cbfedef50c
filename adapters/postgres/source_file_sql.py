"""The statements that write `source_files`, and what it means that a file is still there."""

from typing import Final

from sqlalchemy import text

# For a row `s` of source_files, while a crawl's listing is compared: its path still holds what
# the row says. A changed path that could not be hashed is taken to hold it.
IS_THERE: Final = """
    NOT EXISTS (SELECT FROM crawl_gone g WHERE g.id = s.id AND g.is_absent)
    AND NOT EXISTS (
        SELECT FROM crawl_changes c
        WHERE c.known_id = s.id AND c.xxh64 IS NOT NULL
          AND (c.size, c.xxh64) IS DISTINCT FROM (s.size, s.content_hash)
    )
"""

_UPSERT: Final = """
INSERT INTO source_files AS s (
    storage_config_id, path, display_path, size, mtime_ns,
    outcome, reason, message, content_hash, media_type, asset_id
)
VALUES (
    :config, :path, :display_path, :size, :mtime_ns,
    {values}
)
ON CONFLICT (storage_config_id, sha256(path)) DO UPDATE SET
    size = excluded.size, mtime_ns = excluded.mtime_ns, outcome = excluded.outcome,
    reason = excluded.reason, message = excluded.message,
    content_hash = excluded.content_hash, media_type = excluded.media_type,
    missing_at = NULL, asset_id = {asset}
"""

# A file that is refused now may become the picture again that it was.
_KEPT_ASSET: Final = "CASE WHEN s.outcome <> 'duplicate' THEN s.asset_id END"

HOLD: Final = text(
    _UPSERT.format(
        values=":outcome, NULL, NULL, :content_hash, :media_type, :asset_id",
        asset="excluded.asset_id",
    )
)
REFUSE: Final = text(
    _UPSERT.format(
        values=":outcome, :reason, :message, :content_hash, NULL, NULL", asset=_KEPT_ASSET
    )
)
SKIP_UNOPENED: Final = text(
    _UPSERT.format(values="'skipped', :reason, NULL, NULL, NULL, NULL", asset=_KEPT_ASSET)
)
TOUCH: Final = text("""
UPDATE source_files SET size = :size, mtime_ns = :mtime_ns, missing_at = NULL
WHERE storage_config_id = :config AND sha256(path) = sha256(:path)
""")
"""The content is as it was: only the signature is new."""

RELEASE_HOLDER: Final = text("""
DELETE FROM source_files WHERE asset_id = :asset_id AND outcome = 'asset' AND path <> :path
""")
"""The path that held the asset does not hold its content any more."""
