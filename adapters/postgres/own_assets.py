"""Whose an asset is, in PostgreSQL."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Engine, select
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.tables import MEDIA_ASSETS, STORAGE_CONFIGS
from application.ports.own_assets import OwnAssets


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresOwnAssets(OwnAssets):
    """Two look-ups by primary key."""

    engine: Engine

    @override
    def content_of(self, owner: UUID, asset_id: UUID) -> str | None:
        query = (
            select(MEDIA_ASSETS.c.content_hash)
            .join_from(
                MEDIA_ASSETS,
                STORAGE_CONFIGS,
                STORAGE_CONFIGS.c.id == MEDIA_ASSETS.c.storage_config_id,
            )
            .where(
                MEDIA_ASSETS.c.id == asset_id,
                MEDIA_ASSETS.c.deleted_at.is_(None),
                STORAGE_CONFIGS.c.user_id == owner,
            )
        )
        with single_statement(self.engine) as connection:
            content: str | None = connection.execute(query).scalar_one_or_none()
        return content
