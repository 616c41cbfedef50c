"""One run of a crawl: what its steps share."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from application.ports.library_catalogue import CrawlSession
from application.ports.originals import CheckedRoot
from application.ports.stopwatch import Stopwatch
from application.ports.work_context import Result, WorkContext
from domain.library.capture_date import Calendar
from domain.library.crawl_report import CrawlReport

FILES_PER_PAGE: Final = 500
FILES_PER_PAIRING: Final = 500
ROWS_PER_BATCH: Final = 1_000


@dataclass(slots=True, kw_only=True)
class CrawlRun:
    """The report is written by the thread that runs the steps, and by no other."""

    root: CheckedRoot
    calendar: Calendar
    context: WorkContext
    session: CrawlSession
    stopwatch: Stopwatch
    began_at: float
    missing_allowed_at: datetime | None
    """The allowance as it was when the run began; one that comes later is not this run's."""
    report: CrawlReport = field(default_factory=CrawlReport)

    @property
    def is_missing_allowed(self) -> bool:
        """Whether most of the library may go, or all of it."""
        return self.missing_allowed_at is not None

    def show_listing(self) -> None:
        """Progress while the total is unknown."""
        self.context.progress.report(self.report.found)

    def show(self, compared: int = 0) -> None:
        """Progress once every file is counted; `compared`: files read to be compared so far."""
        report = self.report
        self.context.progress.report(report.settled, report.found, report.note(compared))

    def pair_live_photos(self, *, is_last: bool) -> None:
        """Let pictures and their moving halves find each other, and count them."""
        pair = self.session.reconciliation.pair_live_photos
        self.report.live_photos = pair(is_last=is_last)

    def stop_if_requested(self) -> None:
        """Raise WorkCancelled with what is done so far; called between files."""
        if self.context.cancellation.requested:
            self.context.cancellation.raise_if_requested(self.result(is_stopped=True))

    def result(self, *, is_stopped: bool = False) -> Result:
        """The report with the time it took."""
        seconds = self.stopwatch.elapsed() - self.began_at
        return self.report.result(seconds, is_stopped=is_stopped)
