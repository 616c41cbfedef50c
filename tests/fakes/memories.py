"""Memories in memory, over assets that a test arranges."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from typing_extensions import override

from application.ports.memories import Memories, Memory, MemoryPosition
from domain.library.calendar_day import CalendarDay


@dataclass
class Kept:
    owner: UUID
    memory: Memory
    still: UUID | None = None
    is_deleted: bool = False


@dataclass
class InMemoryMemories(Memories):
    kept: dict[UUID, Kept] = field(default_factory=dict)
    limits: list[int] = field(default_factory=list)

    @override
    def on_day(
        self, owner: UUID, day: CalendarDay, *, after: MemoryPosition | None, limit: int
    ) -> Sequence[Memory]:
        self.limits.append(limit)
        found = [
            replace(kept.memory, motion_id=self._motion_of(kept.memory.asset_id))
            for kept in self.kept.values()
            if kept.owner == owner
            and self._is_entry(kept)
            and (kept.memory.captured_at.month, kept.memory.captured_at.day) == (day.month, day.day)
        ]
        behind = [each for each in found if after is None or _key(each.position()) > _key(after)]
        return sorted(behind, key=lambda each: _key(each.position()))[:limit]

    def _is_entry(self, kept: Kept) -> bool:
        still = None if kept.still is None else self.kept[kept.still]
        return not kept.is_deleted and (still is None or still.is_deleted)

    def _motion_of(self, still: UUID) -> UUID | None:
        return next(
            (key for key, kept in self.kept.items() if kept.still == still and not kept.is_deleted),
            None,
        )


def _key(position: MemoryPosition) -> tuple[object, ...]:
    return (-position.captured_at.year, position.captured_at, position.asset_id)
