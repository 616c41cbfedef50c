"""Storage configs, read for a crawl."""

import os
from dataclasses import dataclass
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Engine, func, select
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.tables import MISSING_ALLOWANCES, STORAGE_CONFIGS
from application.ports.crawl_folders import CrawlFolder, CrawlFolders
from domain.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresCrawlFolders(CrawlFolders):
    """One row of `storage_configs`, with its allowance if there is one, and the others' folders."""

    engine: Engine

    @override
    def read(self, storage_config_id: UUID) -> CrawlFolder:
        config, allowance = STORAGE_CONFIGS.c, MISSING_ALLOWANCES.c
        other = STORAGE_CONFIGS.alias().c
        others = func.array(
            select(other.root_path).where(other.id != storage_config_id).scalar_subquery()
        )
        query = (
            select(config.root_path, config.time_zone, allowance.allowed_at, others.label("others"))
            .outerjoin_from(
                STORAGE_CONFIGS, MISSING_ALLOWANCES, allowance.storage_config_id == config.id
            )
            .where(config.id == storage_config_id)
        )
        with single_statement(self.engine) as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise NotFound(f"storage config {storage_config_id} does not exist")
        return CrawlFolder(
            storage_config_id=storage_config_id,
            root=os.fsencode(row.root_path),
            zone=ZoneInfo(row.time_zone),
            others=row.others,
            missing_allowed_at=row.allowed_at,
        )
