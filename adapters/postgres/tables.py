"""The tables as SQLAlchemy Core sees them; the migrations make them. Never leaves this package."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB

METADATA = MetaData()
_INSTANT = DateTime(timezone=True)

USERS = Table(
    "users",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("name", Text),
    Column("email", Text),
    Column("password_hash", Text),
    Column("is_admin", Boolean),
    Column("is_disabled", Boolean),
    Column("created_at", _INSTANT),
)

REFRESH_TOKENS = Table(
    "refresh_tokens",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("user_id", Uuid),
    Column("family_id", Uuid),
    Column("token_hash", LargeBinary),
    Column("issued_at", _INSTANT),
    Column("expires_at", _INSTANT),
    Column("used_at", _INSTANT),
    Column("revoked_at", _INSTANT),
)

LOG_IN_FAILURES = Table(
    "log_in_failures",
    METADATA,
    Column("scope", Text, primary_key=True),
    Column("key", LargeBinary, primary_key=True),
    Column("failures", Integer),
    Column("last_failed_at", _INSTANT),
)

LOG_IN_ADDRESSES = Table(
    "log_in_addresses",
    METADATA,
    Column("user_id", Uuid, primary_key=True),
    Column("network", Text, primary_key=True),
    Column("last_success_at", _INSTANT),
)

STORAGE_CONFIGS = Table(
    "storage_configs",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("user_id", Uuid),
    Column("root_path", Text),
    Column("time_zone", Text),
    Column("is_active", Boolean),
    Column("created_at", _INSTANT),
    Column("removal_began_at", _INSTANT),
)

WORK_ITEMS = Table(
    "work_items",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("kind", Text),
    Column("payload", JSONB),
    Column("storage_config_id", Uuid),
    Column("dedup_key", Text),
    Column("requested_by", Uuid),
    Column("requested_at", _INSTANT),
    Column("status", Text),
    Column("attempt", Integer),
    Column("stalls", Integer),
    Column("claimed_by", Text),
    Column("started_at", _INSTANT),
    Column("lease_until", _INSTANT),
    Column("finished_at", _INSTANT),
    Column("updated_at", _INSTANT),
    Column("cancel_requested_at", _INSTANT),
    Column("progress_done", BigInteger),
    Column("progress_total", BigInteger),
    Column("progress_note", Text),
    Column("result", JSONB),
    Column("error", Text),
)

WORK_ITEM_REMOVALS = Table(
    "work_item_removals",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("removed_at", _INSTANT),
)

WORKERS = Table(
    "workers",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("name", Text),
    Column("user_id", Uuid),
    Column("host", Text),
    Column("version", Text),
    Column("started_at", _INSTANT),
    Column("seen_at", _INSTANT),
    Column("item_id", Uuid),
    Column("stopped_at", _INSTANT),
)

MISSING_ALLOWANCES = Table(
    "missing_allowances",
    METADATA,
    Column("storage_config_id", Uuid, primary_key=True),
    Column("allowed_at", _INSTANT),
)

MEDIA_ASSETS = Table(
    "media_assets",
    METADATA,
    Column("id", Uuid, primary_key=True),
    Column("storage_config_id", Uuid),
    Column("media_type", Text),
    Column("content_size", BigInteger),
    Column("content_hash", Text),
    Column("width", Integer),
    Column("height", Integer),
    Column("blurhash", Text),
    Column("deleted_at", _INSTANT),
    Column("still_id", Uuid),
)
"""What is read of an asset; the crawl's own statements name the rest."""

ASSET_METADATA = Table(
    "asset_metadata",
    METADATA,
    Column("asset_id", Uuid, primary_key=True),
    Column("storage_config_id", Uuid),
    Column("captured_at", DateTime()),
    Column("capture_offset_seconds", Integer),
    Column("is_estimated", Boolean),
    Column("capture_year", Integer),
    Column("capture_month", Integer),
    Column("capture_day", Integer),
    Column("latitude", Double),
    Column("longitude", Double),
    Column("make", Text),
    Column("model", Text),
    Column("lens", Text),
    Column("duration_seconds", Double),
)

CRAWL_FAILURES = Table(
    "crawl_failures",
    METADATA,
    Column("id", BigInteger, primary_key=True),
    Column("work_item_id", Uuid),
    Column("attempt", Integer),
    Column("path", LargeBinary),
    Column("display_path", Text),
    Column("reason", Text),
    Column("message", Text),
)

RESULT_TABLES = (CRAWL_FAILURES,)
"""Tables of kind-specific result rows: each has work_item_id and attempt, and cascades."""
