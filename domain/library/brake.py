"""The brake: a crawl that would take most of a library away takes nothing away, unless allowed."""

from typing import Final

ALWAYS_ALLOWED: Final = 20


def holds_back(going: int, living: int, *, is_allowed: bool) -> bool:
    """Whether more than 20 and more than half of the library's `living` assets would go.

    Never where an admin has allowed it.
    """
    return not is_allowed and going > ALWAYS_ALLOWED and going * 2 > living
