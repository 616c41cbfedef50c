"""Storage configs in memory, as the crawl sees them."""

from dataclasses import dataclass, field, replace
from uuid import UUID

from typing_extensions import override

from application.ports.crawl_folders import CrawlFolder, CrawlFolders
from domain.errors import NotFound
from tests.fakes.library import InMemoryLibrary


@dataclass
class InMemoryCrawlFolders(CrawlFolders):
    folders: dict[UUID, CrawlFolder] = field(default_factory=dict)
    library: InMemoryLibrary = field(default_factory=InMemoryLibrary)

    @override
    def read(self, storage_config_id: UUID) -> CrawlFolder:
        if storage_config_id not in self.folders:
            raise NotFound(f"storage config {storage_config_id} does not exist")
        folder = self.folders[storage_config_id]
        return replace(folder, missing_allowed_at=self.library.missing_allowed_at)
