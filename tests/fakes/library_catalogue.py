"""Opens the library in memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from typing_extensions import override

from application.ports.library_catalogue import CrawlSession, LibraryCatalogue
from domain.work.attempt import AttemptTag
from tests.fakes.library import InMemoryLibrary, Session
from tests.fakes.library_ledger import InMemoryAssetLedger
from tests.fakes.library_listing import InMemoryCrawlListing
from tests.fakes.library_reconciliation import InMemoryLibraryReconciliation


@dataclass
class InMemoryLibraryCatalogue(LibraryCatalogue):
    library: InMemoryLibrary
    opened: list[UUID] = field(default_factory=list)

    @override
    @contextmanager
    def open(self, storage_config_id: UUID, tag: AttemptTag) -> Iterator[CrawlSession]:
        self.opened.append(storage_config_id)
        session = Session(self.library, tag)
        yield CrawlSession(
            listing=InMemoryCrawlListing(session),
            ledger=InMemoryAssetLedger(session),
            reconciliation=InMemoryLibraryReconciliation(session),
        )
