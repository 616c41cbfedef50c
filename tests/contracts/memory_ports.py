"""Memories over memory and over PostgreSQL, and the hands to arrange assets."""

from abc import abstractmethod
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol
from uuid import UUID, uuid4

from sqlalchemy import Engine, text
from typing_extensions import override

from adapters.postgres.memories import PostgresMemories
from application.ports.memories import Camera, Memories, Memory
from domain.library.location import Location
from tests.contracts.harness import PostgresPorts
from tests.fakes.memories import InMemoryMemories, Kept


def memory(captured_at: datetime, media_type: str = "Image", **more: Any) -> Memory:
    known: dict[str, Any] = {
        "asset_id": uuid4(),
        "offset": None,
        "is_estimated": False,
        "width": 64,
        "height": 48,
        "blurhash": "LKO2",
        "location": None,
        "camera": Camera(make=None, model=None, lens=None),
        "duration_seconds": None,
        "motion_id": None,
    }
    return Memory(captured_at=captured_at, media_type=media_type, **(known | more))


class MemoryPorts(Protocol):
    memories: Memories

    @abstractmethod
    def add_user(self) -> UUID: ...

    @abstractmethod
    def add_config(self, owner: UUID, *, is_active: bool = True) -> UUID: ...

    @abstractmethod
    def keep(self, config: UUID, asset: Memory, still: UUID | None = None) -> Memory: ...

    @abstractmethod
    def keep_undated(self, config: UUID) -> None: ...

    @abstractmethod
    def delete(self, asset_id: UUID) -> None: ...


@dataclass
class InMemoryMemoryPorts(MemoryPorts):
    memories: InMemoryMemories = field(default_factory=InMemoryMemories)
    owners: dict[UUID, UUID] = field(default_factory=dict)

    @override
    def add_user(self) -> UUID:
        return uuid4()

    @override
    def add_config(self, owner: UUID, *, is_active: bool = True) -> UUID:
        config = uuid4()
        self.owners[config] = owner
        return config

    @override
    def keep(self, config: UUID, asset: Memory, still: UUID | None = None) -> Memory:
        self.memories.kept[asset.asset_id] = Kept(self.owners[config], asset, still)
        return asset

    @override
    def keep_undated(self, config: UUID) -> None:
        """What has no date is nobody's memory."""

    @override
    def delete(self, asset_id: UUID) -> None:
        self.memories.kept[asset_id].is_deleted = True


@dataclass
class PostgresMemoryPorts(MemoryPorts):
    engine: Engine

    def __post_init__(self) -> None:
        self.memories = PostgresMemories(engine=self.engine)
        self._rest = PostgresPorts(engine=self.engine)

    def run(self, statement: str, **parameters: object) -> None:
        with self.engine.begin() as connection:
            connection.execute(text(statement), parameters)

    @override
    def add_user(self) -> UUID:
        return self._rest.add_user()

    @override
    def add_config(self, owner: UUID, *, is_active: bool = True) -> UUID:
        config = self._rest.add_config(owner)
        self._rest.set_active(config, is_active)
        return config

    @override
    def keep(self, config: UUID, asset: Memory, still: UUID | None = None) -> Memory:
        self._insert_asset(config, asset, still)
        place = asset.location
        self.run(
            "INSERT INTO asset_metadata (asset_id, storage_config_id, captured_at,"
            " capture_offset_seconds, capture_source, is_estimated, capture_year, capture_month,"
            " capture_day, rotation_degrees, is_mirrored, latitude, longitude, make, model, lens,"
            " duration_seconds) VALUES (:id, :config, :at, :offset, 'XMP', :estimated, :year,"
            " :month, :day, 0, false, :latitude, :longitude, :make, :model, :lens, :duration)",
            id=asset.asset_id,
            config=config,
            at=asset.captured_at,
            offset=_seconds(asset.offset),
            estimated=asset.is_estimated,
            year=asset.captured_at.year,
            month=asset.captured_at.month,
            day=asset.captured_at.day,
            latitude=place and place.latitude,
            longitude=place and place.longitude,
            make=asset.camera.make,
            model=asset.camera.model,
            lens=asset.camera.lens,
            duration=asset.duration_seconds,
        )
        return asset

    @override
    def keep_undated(self, config: UUID) -> None:
        undated = memory(datetime(1, 1, 1))  # noqa: DTZ001  # no part of what is kept
        self._insert_asset(config, undated, None)
        self.run(
            "INSERT INTO asset_metadata (asset_id, storage_config_id, is_estimated,"
            " rotation_degrees, is_mirrored) VALUES (:id, :config, false, 0, false)",
            id=undated.asset_id,
            config=config,
        )

    @override
    def delete(self, asset_id: UUID) -> None:
        self.run("UPDATE media_assets SET deleted_at = now() WHERE id = :id", id=asset_id)

    def _insert_asset(self, config: UUID, asset: Memory, still: UUID | None) -> None:
        self.run(
            "INSERT INTO media_assets (id, storage_config_id, media_type, format, content_size,"
            " content_hash, width, height, blurhash, still_id)"
            " VALUES (:id, :config, :type, 'jpeg', 9, :hash, :width, :height, :blurhash, :still)",
            id=asset.asset_id,
            config=config,
            type=asset.media_type,
            hash=asset.asset_id.hex[16:],
            width=asset.width,
            height=asset.height,
            blurhash=asset.blurhash,
            still=still,
        )


def _seconds(offset: timedelta | None) -> int | None:
    return None if offset is None else int(offset.total_seconds())


def place(latitude: float, longitude: float) -> Location:
    return Location(latitude, longitude)
