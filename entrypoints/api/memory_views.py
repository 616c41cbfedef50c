"""Memories as their owner sees them."""

from datetime import timedelta
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import Field, NaiveDatetime

from application.ports.memories import Camera, Memory, MemoryPosition
from application.use_cases.recall_day import MemoryPage
from domain.library.calendar_day import MONTHS
from domain.library.location import Location
from entrypoints.api.cursors import Cursor
from entrypoints.api.dto import CursorQuery, Digits, Response

MOST_DAYS = 31


class MemoriesQuery(CursorQuery):
    """Of which day, in all years."""

    month: Annotated[int, Digits] = Field(ge=1, le=MONTHS)
    day: Annotated[int, Digits] = Field(ge=1, le=MOST_DAYS)


class MemoryCursor(Cursor):
    """A place among the memories of a day."""

    at: NaiveDatetime
    asset: UUID


def position_of(cursor: MemoryCursor | None) -> MemoryPosition | None:
    """The place that a cursor stands for."""
    if cursor is None:
        return None
    return MemoryPosition(captured_at=cursor.at, asset_id=cursor.asset)


class PlaceView(Response):
    """Degrees north and east, WGS 84."""

    latitude: float
    longitude: float

    @classmethod
    def of(cls, location: Location) -> Self:
        return cls(latitude=location.latitude, longitude=location.longitude)


class CameraView(Response):
    """Null where the file does not say."""

    make: str | None
    model: str | None
    lens: str | None

    @classmethod
    def of(cls, camera: Camera) -> Self:
        return cls(make=camera.make, model=camera.model, lens=camera.lens)


class MemoryView(Response):
    """One picture or video."""

    id: UUID
    media_type: Literal["Image", "LivePhoto", "Video"]
    captured_at: str = Field(description="local time as the camera saw it, ISO 8601, no zone")
    offset: str | None = Field(description="of that time from UTC, such as +02:00; null: unknown")
    is_estimated: bool = Field(description="the date is only the file's")
    year: int
    width: int = Field(description="pixels, as displayed")
    height: int
    blurhash: str
    place: PlaceView | None
    camera: CameraView
    duration_seconds: float | None
    motion_id: UUID | None = Field(description="of a Live Photo: the video that is its moving half")
    thumbnail: str = Field(description="path on this origin; wants the same access token")
    preview: str = Field(description="path on this origin; wants the same access token")

    @classmethod
    def of(cls, memory: Memory) -> Self:
        return cls(
            id=memory.asset_id,
            media_type=memory.media_type,
            captured_at=memory.captured_at.isoformat(),
            offset=None if memory.offset is None else offset_text(memory.offset),
            is_estimated=memory.is_estimated,
            year=memory.captured_at.year,
            width=memory.width,
            height=memory.height,
            blurhash=memory.blurhash,
            place=None if memory.location is None else PlaceView.of(memory.location),
            camera=CameraView.of(memory.camera),
            duration_seconds=memory.duration_seconds,
            motion_id=memory.motion_id,
            thumbnail=f"/api/v1/me/assets/{memory.asset_id}/thumbnail",
            preview=f"/api/v1/me/assets/{memory.asset_id}/preview",
        )


class MemoryPageView(Response):
    """One page of a day's memories, newest year first."""

    items: list[MemoryView]
    next_cursor: str | None = Field(description="null: this is the last page")

    @classmethod
    def of(cls, page: MemoryPage) -> Self:
        return cls(
            items=[MemoryView.of(each) for each in page.memories],
            next_cursor=None if page.following is None else _cursor_of(page.following).text(),
        )


def offset_text(offset: timedelta) -> str:
    """As ISO 8601 writes it: ±hh:mm, with seconds only where there are any."""
    sign = "-" if offset < timedelta() else "+"
    minutes, seconds = divmod(int(abs(offset).total_seconds()), 60)
    text = f"{sign}{minutes // 60:02}:{minutes % 60:02}"
    return f"{text}:{seconds:02}" if seconds else text


def _cursor_of(position: MemoryPosition) -> MemoryCursor:
    return MemoryCursor(at=position.captured_at, asset=position.asset_id)
