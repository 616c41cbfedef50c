"""Storage configs, read for a crawl."""

import os
from dataclasses import dataclass
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Engine, select
from typing_extensions import override

from adapters.postgres.tables import STORAGE_CONFIGS
from application.ports.crawl_folders import CrawlFolder, CrawlFolders
from domain.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresCrawlFolders(CrawlFolders):
    """One row of `storage_configs`."""

    engine: Engine

    @override
    def read(self, storage_config_id: UUID) -> CrawlFolder:
        query = select(STORAGE_CONFIGS.c.root_path, STORAGE_CONFIGS.c.time_zone).where(
            STORAGE_CONFIGS.c.id == storage_config_id
        )
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise NotFound(f"storage config {storage_config_id} does not exist")
        return CrawlFolder(
            storage_config_id=storage_config_id,
            root=os.fsencode(row.root_path),
            zone=ZoneInfo(row.time_zone),
        )
