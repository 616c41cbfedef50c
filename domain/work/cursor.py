"""The cursor of the live view: an instant of the database, as text that survives a round trip."""

import re
from datetime import UTC, datetime
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FORM: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z")


def format_instant(instant: datetime) -> str:
    """ISO 8601 in UTC with microseconds and a Z."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def parse_cursor(text: str) -> datetime | None:
    """The instant, or None where the text is not one that `format_instant` could have made."""
    if not _FORM.fullmatch(text):
        return None
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return None
    return instant if instant >= EPOCH else None
