"""The root of a storage config: what makes a crawl stop before it believes an empty folder."""

from collections.abc import Iterable

from domain.errors import DomainError
from domain.library.storage_config import overlap


class RootUnavailable(DomainError):
    """The root cannot be relied on now; nothing that was known below it is marked missing."""

    def __init__(self, why: str) -> None:
        super().__init__(f"root unavailable: {why}")


class RootEmpty(DomainError):
    """The root held assets and suddenly holds no file: an unmounted volume looks like that."""

    def __init__(self, known: int) -> None:
        super().__init__(f"root empty: it held {known} assets and now holds no file")


def refuse_emptiness(found: int, unreadable: int, known: int, *, is_allowed: bool) -> None:
    """Raise RootEmpty where nothing is there though `known` assets live there.

    A folder that cannot be read is something. Never raised where an admin has allowed it: the
    folder was really emptied.
    """
    if found == 0 and unreadable == 0 and known > 0 and not is_allowed:
        raise RootEmpty(known)


def refuse_taken(resolved: str, others: Iterable[str]) -> None:
    """Raise RootUnavailable where a root, its links followed, overlaps another config's folder.

    A folder belongs to one config only; a link that came later must not change that.
    """
    if any(overlap(resolved, other) for other in others):
        raise RootUnavailable("it leads into the folder of another storage config")
