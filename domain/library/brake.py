"""The brake: a crawl that would take most of a library away takes nothing away."""

from typing import Final

ALWAYS_ALLOWED: Final = 20


def holds_back(going: int, living: int) -> bool:
    """Whether more than 20 and more than half of the library's `living` assets would go."""
    return going > ALWAYS_ALLOWED and going * 2 > living
