"""Single EXIF values as Pillow hands them over: of any type, whatever the tag should have."""

import math
from typing import Final

AS_PILLOW_DECODES: Final = "latin-1"
PLAIN: Final = "ascii"


def raw_text(value: object) -> bytes | None:
    """The bytes as they stand in the file, of what Pillow made text of."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode(AS_PILLOW_DECODES, "replace")
    return None


def ascii_text(value: object) -> str | None:
    """Text of a field that holds nothing but ASCII."""
    raw = raw_text(value)
    return None if raw is None else raw.decode(PLAIN, "replace")


def whole_number(value: object) -> int | None:
    """A single integer."""
    return value if isinstance(value, int) else None


def numbers(value: object) -> tuple[float, ...] | None:
    """One number or several; a fraction over zero is NaN."""
    parts = value if isinstance(value, tuple) else (value,)
    found = [_number(part) for part in parts]
    return None if None in found else tuple(part for part in found if part is not None)


def _number(part: object) -> float | None:
    try:
        return float(part)  # type: ignore[arg-type]  # whatever it is, it may know
    except ZeroDivisionError:
        return math.nan
    except (TypeError, ValueError, OverflowError):
        return None
