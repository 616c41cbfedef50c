"""The statements that pair the halves of Live Photos."""

from typing import Final

from sqlalchemy import text

MOST_SHARING: Final = 20
"""Assets with one identifier: both halves, edited versions, copies that were changed a little."""

PAIRING_IS_DUE: Final = text("""
INSERT INTO pairing_due (storage_config_id) VALUES (:config) ON CONFLICT DO NOTHING
""")

IS_PAIRING_DUE: Final = text("""
SELECT EXISTS (SELECT FROM pairing_due WHERE storage_config_id = :config)
""")

PAIRING_IS_DONE: Final = text("DELETE FROM pairing_due WHERE storage_config_id = :config")

# All that could be a pair, each with its worth; then each video's best picture, and of the videos
# that want the same picture the best. The order is total, so the same library gives the same pairs.
# An identifier that many share (a converter's constant) tells nothing, and would pair all with all.
WANTED: Final = text("""
CREATE TEMPORARY TABLE live_pairs ON COMMIT DROP AS
WITH videos AS (
    SELECT id, content_identifier FROM media_assets
    WHERE storage_config_id = :config AND media_type = 'Video' AND deleted_at IS NULL
), telling AS (
    SELECT content_identifier FROM media_assets
    WHERE storage_config_id = :config AND content_identifier IS NOT NULL AND deleted_at IS NULL
    GROUP BY content_identifier HAVING count(*) <= :most_sharing
), candidates AS (
    SELECT v.id AS video, p.id AS still, false AS is_same_name
    FROM videos v
    JOIN telling USING (content_identifier)
    JOIN media_assets p ON p.storage_config_id = :config
        AND p.content_identifier = v.content_identifier
    WHERE p.media_type <> 'Video' AND p.deleted_at IS NULL
    UNION ALL
    SELECT v.id, p.id, true
    FROM videos v
    JOIN source_files f ON f.asset_id = v.id AND f.storage_config_id = :config
    JOIN source_files o ON o.storage_config_id = :config AND o.pair_name = f.pair_name
    JOIN media_assets p ON p.id = o.asset_id
    WHERE f.pair_name IS NOT NULL AND f.missing_at IS NULL AND o.missing_at IS NULL
      AND f.outcome IN ('asset', 'duplicate') AND o.outcome IN ('asset', 'duplicate')
      AND p.media_type <> 'Video' AND p.deleted_at IS NULL
      AND (v.content_identifier = p.content_identifier
           OR v.content_identifier IS NULL OR p.content_identifier IS NULL)
), worth AS (
    SELECT c.video, c.still, bool_or(c.is_same_name) AS is_same_name,
        bool_or(v.content_identifier IS NOT NULL AND p.content_identifier IS NOT NULL)
            AS is_same_identifier,
        bool_or(p.format = 'heic') AS is_heic, min(p.created_at) AS still_at,
        min(v.created_at) AS video_at
    FROM candidates c JOIN media_assets p ON p.id = c.still JOIN media_assets v ON v.id = c.video
    GROUP BY c.video, c.still
), best_still AS (
    SELECT DISTINCT ON (video) * FROM worth
    ORDER BY video, is_same_identifier DESC, is_same_name DESC, is_heic DESC, still_at, still
)
SELECT DISTINCT ON (still) video, still FROM best_still
ORDER BY still, is_same_identifier DESC, is_same_name DESC, video_at, video
""")

UNPAIR: Final = text("""
UPDATE media_assets v SET still_id = NULL, updated_at = clock_timestamp()
WHERE v.storage_config_id = :config AND v.still_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM live_pairs p WHERE p.video = v.id AND p.still = v.still_id)
""")

PAIR: Final = text("""
UPDATE media_assets v SET still_id = p.still, updated_at = clock_timestamp()
FROM live_pairs p WHERE p.video = v.id AND v.still_id IS NULL
""")

STILLS_ARE_PICTURES: Final = text("""
UPDATE media_assets s SET media_type = 'Image', updated_at = clock_timestamp()
WHERE s.storage_config_id = :config AND s.media_type = 'LivePhoto'
  AND NOT EXISTS (SELECT FROM live_pairs p WHERE p.still = s.id)
""")

STILLS_ARE_LIVE: Final = text("""
UPDATE media_assets s SET media_type = 'LivePhoto', updated_at = clock_timestamp()
FROM live_pairs p WHERE p.still = s.id AND s.media_type = 'Image'
""")

# A file that this crawl did not find is among the gone, whatever keeps its asset alive.
COUNT_LIVE: Final = text("""
SELECT count(*) FROM media_assets a JOIN source_files s ON s.asset_id = a.id
WHERE a.storage_config_id = :config AND a.media_type = 'LivePhoto'
  AND s.outcome IN ('asset', 'duplicate')
  AND NOT EXISTS (SELECT FROM crawl_gone g WHERE g.id = s.id)
""")
