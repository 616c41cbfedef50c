"""One file, from its bytes to its verdict. Runs in a thread of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, assert_never
from uuid import UUID

from application.crawling.develop_asset import DevelopAsset
from application.crawling.ingestion import Ingestion
from application.crawling.read_original import OriginalChanging, ReadOriginal
from application.ports.crawl_listing import ListedChange
from application.ports.originals import OriginalUnreadable
from domain.library.resolution import Action, Resolution
from domain.library.signature import Content
from domain.library.verdict import Disposition, FailReason, SkipReason, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestFile:
    """Reads, resolves, and develops where the content is new."""

    read: ReadOriginal
    develop: DevelopAsset
    new_id: Callable[[], UUID]

    def __call__(self, change: ListedChange, into: Ingestion) -> Verdict:
        try:
            with self.read.opened(into.root, change) as stream:
                return self._ingest(stream, change, into)
        except OriginalChanging:
            return Verdict(disposition=Disposition.SKIPPED, reason=SkipReason.CHANGING)
        except OriginalUnreadable as error:
            into.ledger.report_unreadable(change, str(error))
            return Verdict(disposition=Disposition.FAILED, reason=FailReason.UNREADABLE)

    def _ingest(self, stream: BinaryIO, change: ListedChange, into: Ingestion) -> Verdict:
        content = self.read.content(stream, change)
        # Two files of one content in flight would become two assets; the second waits.
        with into.gate.only(content):
            resolution = into.ledger.resolve(change, content, self.new_id())
            return self._settle(stream, change, content, resolution, into)

    def _settle(
        self,
        stream: BinaryIO,
        change: ListedChange,
        content: Content,
        resolution: Resolution,
        into: Ingestion,
    ) -> Verdict:
        match resolution.action:
            case Action.TOUCH:
                return _settled(Disposition.UNCHANGED, content, resolution)
            case Action.DUPLICATE:
                return _settled(Disposition.DUPLICATE, content, resolution)
            case Action.MOVE:
                return _settled(Disposition.MOVED, content, resolution)
            case Action.UPDATE:
                return self.develop(stream, change, content, resolution, into)
            case Action.CREATE:
                return self.develop(stream, change, content, resolution, into)
            case Action.GIVE_UP:
                into.ledger.fail(change, FailReason.CRASHES, "the decoder died of it", content)
                return Verdict(
                    disposition=Disposition.FAILED,
                    reason=FailReason.CRASHES,
                    bytes_read=content.size,
                )
            case _:
                assert_never(resolution.action)


def _settled(disposition: Disposition, content: Content, resolution: Resolution) -> Verdict:
    return Verdict(
        disposition=disposition,
        media_type=resolution.media_type,
        is_restored=resolution.is_restored,
        bytes_read=content.size,
    )
