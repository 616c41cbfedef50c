"""A snapshot of how far a run is. The newest replaces the one before; there is no history."""

from dataclasses import dataclass
from typing import Final

from domain.work.limits import LARGEST_COUNT, cut_note


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """`done` is None before the first report; `total` is None while it is unknown."""

    done: int | None = None
    total: int | None = None
    note: str | None = None


NO_PROGRESS: Final = Progress()


def progress_of(done: int, total: int | None, note: str | None) -> Progress:
    """A snapshot that can be stored: counts within range, the note cut and storable."""
    return Progress(
        done=_count(done),
        total=None if total is None else _count(total),
        note=None if note is None else cut_note(note),
    )


def _count(number: int) -> int:
    return min(max(int(number), 0), LARGEST_COUNT)
