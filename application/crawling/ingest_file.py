"""One file, from its bytes to its verdict. Runs in a thread of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from application.crawling.develop_asset import DevelopAsset
from application.crawling.ingestion import Ingestion, OpenedFile
from application.crawling.read_original import OriginalChanging, ReadOriginal
from application.crawling.refuse_file import fail
from application.ports.crawl_listing import ListedChange
from application.ports.originals import OriginalUnreadable
from domain.library.resolution import Action, Resolution
from domain.library.verdict import Disposition, FailReason, SkipReason, Verdict

SETTLED: Final = {
    Action.TOUCH: Disposition.UNCHANGED,
    Action.DUPLICATE: Disposition.DUPLICATE,
    Action.MOVE: Disposition.MOVED,
}
"""What needs no decoding: the ledger has done it all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestFile:
    """Reads, resolves, and develops where the content is new."""

    read: ReadOriginal
    develop: DevelopAsset
    new_id: Callable[[], UUID]

    def __call__(self, change: ListedChange, into: Ingestion) -> Verdict:
        try:
            with self.read.opened(into.root, change) as stream:
                content = self.read.content(stream, change)
                return self._alone(OpenedFile(stream=stream, change=change, content=content), into)
        except OriginalChanging:
            return Verdict(disposition=Disposition.SKIPPED, reason=SkipReason.CHANGING)
        except OriginalUnreadable as error:
            into.ledger.report_unreadable(change, str(error))
            return Verdict(disposition=Disposition.FAILED, reason=FailReason.UNREADABLE)

    def _alone(self, file: OpenedFile, into: Ingestion) -> Verdict:
        # Two files of one content in flight would become two assets; the second waits.
        with into.gate.only(file.content):
            resolution = into.ledger.resolve(file.change, file.content, self.new_id())
            return self._settle(file, resolution, into)

    def _settle(self, file: OpenedFile, resolution: Resolution, into: Ingestion) -> Verdict:
        if resolution.action in SETTLED:
            return _settled(SETTLED[resolution.action], file, resolution)
        if resolution.action is Action.GIVE_UP:
            return fail(file, FailReason.CRASHES, "decoding it ended the Worker", into.ledger)
        try:
            return self.develop(file, resolution, into)
        except Exception:
            # A full disk or a file that cannot be read is no decoder that crashes.
            into.ledger.call_off(file.change)
            raise


def _settled(disposition: Disposition, file: OpenedFile, resolution: Resolution) -> Verdict:
    return Verdict(
        disposition=disposition,
        media_type=resolution.media_type,
        is_restored=resolution.is_restored,
        bytes_read=file.content.size,
    )
