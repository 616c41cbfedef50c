"""The crawl of one storage config. It can be stopped anywhere, run again, and converges."""

import os
from dataclasses import dataclass
from uuid import UUID

from application.crawling.clean_leftovers import CleanLeftovers
from application.crawling.crawl_run import CrawlRun
from application.crawling.ingest_changes import IngestChanges
from application.crawling.list_folder import ListFolder
from application.crawling.reconcile import Reconcile
from application.ports.clock import Clock
from application.ports.crawl_folders import CrawlFolders
from application.ports.library_catalogue import LibraryCatalogue
from application.ports.originals import Originals
from application.ports.stopwatch import Stopwatch
from application.ports.work_context import Result, WorkContext
from domain.library.capture_date import Calendar
from domain.library.root import refuse_taken


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlLibrary:
    """Root check, listing, diff, ingest, reconcile, report: in this order."""

    folders: CrawlFolders
    originals: Originals
    catalogue: LibraryCatalogue
    clean_leftovers: CleanLeftovers
    list_folder: ListFolder
    ingest_changes: IngestChanges
    reconcile: Reconcile
    clock: Clock
    stopwatch: Stopwatch

    def __call__(self, storage_config_id: UUID, context: WorkContext) -> Result:
        """The counts of a finished crawl.

        Raises NotFound, RootUnavailable, RootEmpty, ClaimLost, and WorkCancelled with the counts
        so far.
        """
        began_at = self.stopwatch.elapsed()
        folder = self.folders.read(storage_config_id)
        root = self.originals.check(folder.root)
        refuse_taken(os.fsdecode(root.path), folder.others)
        with self.catalogue.open(storage_config_id, context.tag) as session:
            run = CrawlRun(
                root=root,
                calendar=Calendar(zone=folder.zone, now=self.clock.now()),
                context=context,
                session=session,
                stopwatch=self.stopwatch,
                began_at=began_at,
                missing_allowed_at=folder.missing_allowed_at,
            )
            return self._steps(run)

    def _steps(self, run: CrawlRun) -> Result:
        self.clean_leftovers(run.session.ledger)
        self.list_folder(run)
        self.ingest_changes(run)
        self.reconcile(run)
        run.show()
        return run.result()
