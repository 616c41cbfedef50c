"""Which files are decoded in a process of their own, that may die of them."""

from typing import Final

FIRST_ATTEMPT_APART: Final = 3
"""Two attempts died: so that this one, by default the last, finishes whatever is there."""


def is_decoded_apart(*, attempt: int, is_suspect: bool) -> bool:
    """True for a file that saw a death, and for every file once an item has died twice.

    A process for itself costs memory and a start, so sound files have none.
    """
    return is_suspect or attempt >= FIRST_ATTEMPT_APART
