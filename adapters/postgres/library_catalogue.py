"""Opens a crawl's session on a connection of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Engine
from typing_extensions import override

from adapters.postgres.asset_ledger import PostgresAssetLedger
from adapters.postgres.connections import named_errors
from adapters.postgres.crawl_connection import CrawlConnection
from adapters.postgres.crawl_listing import PostgresCrawlListing
from adapters.postgres.library_reconciliation import PostgresLibraryReconciliation
from application.ports.library_catalogue import CrawlSession, LibraryCatalogue
from domain.work.attempt import AttemptTag


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresLibraryCatalogue(LibraryCatalogue):
    """One connection for the whole crawl; its threads take turns on it."""

    engine: Engine

    @override
    @contextmanager
    def open(self, storage_config_id: UUID, tag: AttemptTag) -> Iterator[CrawlSession]:
        with named_errors():
            connection = self.engine.connect()
        with connection:
            crawl = CrawlConnection(
                connection=connection, storage_config_id=storage_config_id, tag=tag
            )
            listing = PostgresCrawlListing(crawl=crawl)
            with crawl.workspace(), listing.begun():
                yield CrawlSession(
                    listing=listing,
                    ledger=PostgresAssetLedger(crawl=crawl),
                    reconciliation=PostgresLibraryReconciliation(crawl=crawl),
                )
