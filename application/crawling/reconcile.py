"""After a complete listing: what is gone goes, what returned comes back."""

from collections.abc import Callable, Iterator
from functools import partial

from application.crawling.crawl_run import ROWS_PER_BATCH, CrawlRun
from domain.library.brake import holds_back


class Reconcile:
    """Runs only when every file was reached. The brake keeps a broken volume from emptying a
    library, unless an admin has allowed that; whatever was missing, the allowance is used up here.
    """

    def __call__(self, run: CrawlRun) -> None:
        reconciliation = run.session.reconciliation
        for _ in _batches(reconciliation.promote_duplicates, run):
            pass
        for restored in _batches(reconciliation.restore, run):
            run.report.restored += restored
        self._take_leave(run)
        run.pair_live_photos(is_last=True)

    def _take_leave(self, run: CrawlRun) -> None:
        reconciliation = run.session.reconciliation
        departures = reconciliation.departures()
        if holds_back(departures.going, departures.living, is_allowed=run.is_missing_allowed):
            run.report.held_back = departures.going
            return
        # Not before: what is known of a file that failed must outlast a volume that is away.
        for _ in _batches(reconciliation.forget_gone, run):
            pass
        if departures.going == 0 and not run.is_missing_allowed:
            return
        mark_missing = partial(reconciliation.mark_missing, allowed_at=run.missing_allowed_at)
        for missing in _batches(mark_missing, run):
            run.report.missing += missing


def _batches(step: Callable[[int], int], run: CrawlRun) -> Iterator[int]:
    run.stop_if_requested()
    while count := step(ROWS_PER_BATCH):
        yield count
        run.show()
        run.stop_if_requested()
