"""Text that a camera wrote: make, model, lens. Cameras write anything."""

import unicodedata
from typing import Final

LONGEST: Final = 200
FALLBACK: Final = "latin-1"


def camera_text(raw: bytes | None) -> str | None:
    """Fit for a database: cut at the first NUL, without control characters, at most 200 long."""
    if raw is None:
        return None
    text = _decoded(raw.partition(b"\x00")[0])
    shown = "".join(each for each in text if unicodedata.category(each) != "Cc")
    return shown.strip()[:LONGEST].rstrip() or None


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode(FALLBACK)
