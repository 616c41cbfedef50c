"""Show a user what it captured on a day, in all years."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from application.ports.memories import Memories, Memory, MemoryPosition
from domain.library.calendar_day import checked_day


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPage:
    """One page, and where the next one begins; None: this is the last."""

    memories: Sequence[Memory]
    following: MemoryPosition | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallDay:
    memories: Memories

    def __call__(
        self, owner: UUID, *, month: int, day: int, after: MemoryPosition | None, limit: int
    ) -> MemoryPage:
        """The page behind `after`, newest year first; InvalidInput for a day that no year has."""
        wanted = checked_day(month, day)
        found = self.memories.on_day(owner, wanted, after=after, limit=limit + 1)
        page = found[:limit]
        following = page[-1].position() if len(found) > len(page) else None
        return MemoryPage(memories=page, following=following)
