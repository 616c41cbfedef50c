"""The listing: every file of the folder, and its comparison with what was known."""

from dataclasses import dataclass

from application.crawling.crawl_run import CrawlRun
from application.ports.crawl_listing import Comparison
from application.ports.originals import ListingBatch, Originals
from domain.library.media_type import type_by_name
from domain.library.root import refuse_emptiness
from domain.library.signature import ListedFile
from domain.library.verdict import SkipReason


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFolder:
    """Fails before anything is changed when the root can't be relied on."""

    originals: Originals

    def __call__(self, run: CrawlRun) -> None:
        for batch in self.originals.walk(run.root):
            _take_up(batch, run)
            run.stop_if_requested()
        self.originals.recheck(run.root)
        _count(run.session.listing.compare(), run)
        for verdict, count in run.session.listing.settle_skipped():
            run.report.add(verdict, count)
        run.show()


def _take_up(batch: ListingBatch, run: CrawlRun) -> None:
    listing, report = run.session.listing, run.report
    listing.add([(each, _skipped_unopened(each)) for each in batch.files])
    listing.add_unreadable(batch.unreadable)
    report.found += len(batch.files)
    report.folders_visited += batch.folders_visited
    report.folders_unreadable += len(batch.unreadable)
    for reason, count in batch.skipped.items():
        report.add_passed(reason, count)
    run.show_listing()


def _skipped_unopened(file: ListedFile) -> SkipReason | None:
    if type_by_name(file.path) is None:
        return SkipReason.UNSUPPORTED
    return SkipReason.EMPTY if file.size == 0 else None


def _count(comparison: Comparison, run: CrawlRun) -> None:
    refuse_emptiness(
        run.report.found,
        run.report.folders_unreadable,
        comparison.living,
        is_allowed=run.is_missing_allowed,
    )
    run.report.outside = comparison.outside
    for verdict, count in comparison.verdicts:
        run.report.add(verdict, count)
