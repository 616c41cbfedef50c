"""Opens the library of one storage config for one crawl."""

from abc import abstractmethod
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from application.ports.asset_ledger import AssetLedger
from application.ports.crawl_listing import CrawlListing
from application.ports.library_reconciliation import LibraryReconciliation
from domain.work.attempt import AttemptTag


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSession:
    """The parts of one crawl's work on the library; they share the listing. Thread-safe."""

    listing: CrawlListing
    ledger: AssetLedger
    reconciliation: LibraryReconciliation


class LibraryCatalogue(Protocol):
    """The library's records: files, assets, metadata, proxies, failures."""

    @abstractmethod
    def open(
        self, storage_config_id: UUID, tag: AttemptTag
    ) -> AbstractContextManager[CrawlSession]:
        """A session with an empty listing, which is forgotten when it closes."""
