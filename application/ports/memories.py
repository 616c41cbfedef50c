"""What was captured on a day of the year, for the owner of the pictures."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from domain.library.calendar_day import CalendarDay
from domain.library.location import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """None where the file does not say."""

    make: str | None
    model: str | None
    lens: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One asset, as its owner remembers it."""

    asset_id: UUID
    media_type: str
    """Image, LivePhoto or Video."""
    captured_at: datetime
    """Local time as the camera saw it, without a zone."""
    offset: timedelta | None
    """Of that local time from UTC, where it is known."""
    is_estimated: bool
    """The date is only the file's."""
    width: int
    """Pixels, as displayed."""
    height: int
    blurhash: str
    location: Location | None
    camera: Camera
    duration_seconds: float | None
    motion_id: UUID | None
    """The moving half of a Live Photo: a video that is no entry of its own."""

    def position(self) -> "MemoryPosition":
        """Where the entry stands among all of its day."""
        return MemoryPosition(captured_at=self.captured_at, asset_id=self.asset_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPosition:
    """A place in the order of memories."""

    captured_at: datetime
    asset_id: UUID


class Memories(Protocol):
    """The living assets of all of a user's folders, active or not."""

    @abstractmethod
    def on_day(
        self, owner: UUID, day: CalendarDay, *, after: MemoryPosition | None, limit: int
    ) -> Sequence[Memory]:
        """At most `limit` entries behind `after`; DatabaseUnavailable.

        The newest year comes first; within a year the order is that of local time, then of id. The
        moving half of a Live Photo is left out while its still lives.
        """
