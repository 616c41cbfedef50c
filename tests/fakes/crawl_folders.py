"""Storage configs in memory, as the crawl sees them."""

from dataclasses import dataclass, field
from uuid import UUID

from typing_extensions import override

from application.ports.crawl_folders import CrawlFolder, CrawlFolders
from domain.errors import NotFound


@dataclass
class InMemoryCrawlFolders(CrawlFolders):
    folders: dict[UUID, CrawlFolder] = field(default_factory=dict)

    @override
    def read(self, storage_config_id: UUID) -> CrawlFolder:
        if storage_config_id not in self.folders:
            raise NotFound(f"storage config {storage_config_id} does not exist")
        return self.folders[storage_config_id]
