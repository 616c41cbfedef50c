"""Memories, by the index on config, month, day and year."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Engine, Row, Select, and_, or_, select, tuple_
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.tables import ASSET_METADATA, MEDIA_ASSETS, STORAGE_CONFIGS
from application.ports.memories import Camera, Memories, Memory, MemoryPosition
from domain.library.calendar_day import CalendarDay
from domain.library.location import Location

_ASSET = MEDIA_ASSETS.c
_KNOWN = ASSET_METADATA.c
_STILL = MEDIA_ASSETS.alias("still")
_MOTION = MEDIA_ASSETS.alias("motion")
_IS_MOVING_HALF: Final = (
    select(_STILL.c.id)
    .where(_STILL.c.id == _ASSET.still_id, _STILL.c.deleted_at.is_(None))
    .exists()
)
_ROWS: Final = (
    select(
        _ASSET.id,
        _ASSET.media_type,
        _ASSET.width,
        _ASSET.height,
        _ASSET.blurhash,
        _KNOWN.captured_at,
        _KNOWN.capture_offset_seconds,
        _KNOWN.is_estimated,
        _KNOWN.latitude,
        _KNOWN.longitude,
        _KNOWN.make,
        _KNOWN.model,
        _KNOWN.lens,
        _KNOWN.duration_seconds,
        _MOTION.c.id.label("motion_id"),
    )
    .join_from(ASSET_METADATA, MEDIA_ASSETS, _ASSET.id == _KNOWN.asset_id)
    .outerjoin(_MOTION, and_(_MOTION.c.still_id == _ASSET.id, _MOTION.c.deleted_at.is_(None)))
    .where(_ASSET.deleted_at.is_(None), ~_IS_MOVING_HALF)
    .order_by(_KNOWN.capture_year.desc(), _KNOWN.captured_at, _KNOWN.asset_id)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresMemories(Memories):
    engine: Engine

    @override
    def on_day(
        self, owner: UUID, day: CalendarDay, *, after: MemoryPosition | None, limit: int
    ) -> Sequence[Memory]:
        query = memories_query(owner, day, after, limit)
        with single_statement(self.engine) as connection:
            return [_memory(row) for row in connection.execute(query)]


def memories_query(
    owner: UUID, day: CalendarDay, after: MemoryPosition | None, limit: int
) -> Select[Any]:
    """One page; its cost grows with what the owner has of that day, and with nothing else."""
    own = select(STORAGE_CONFIGS.c.id).where(STORAGE_CONFIGS.c.user_id == owner)
    query = _ROWS.where(
        _KNOWN.storage_config_id.in_(own),
        _KNOWN.capture_month == day.month,
        _KNOWN.capture_day == day.day,
    ).limit(limit)
    return query if after is None else query.where(_is_behind(after))


def _is_behind(after: MemoryPosition) -> ColumnElement[bool]:
    year = after.captured_at.year
    later = tuple_(_KNOWN.captured_at, _KNOWN.asset_id) > tuple_(after.captured_at, after.asset_id)
    # The first condition follows from the second, and is one that the index can use.
    return and_(_KNOWN.capture_year <= year, or_(_KNOWN.capture_year < year, later))


def _memory(row: Row[Any]) -> Memory:
    return Memory(
        asset_id=row.id,
        media_type=row.media_type,
        captured_at=row.captured_at,
        offset=_offset(row.capture_offset_seconds),
        is_estimated=row.is_estimated,
        width=row.width,
        height=row.height,
        blurhash=row.blurhash,
        location=_location(row),
        camera=Camera(make=row.make, model=row.model, lens=row.lens),
        duration_seconds=row.duration_seconds,
        motion_id=row.motion_id,
    )


def _offset(seconds: int | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)


def _location(row: Row[Any]) -> Location | None:
    if row.latitude is None:
        return None
    return Location(latitude=row.latitude, longitude=row.longitude)
