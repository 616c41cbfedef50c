"""The listing in memory."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from typing_extensions import override

from application.ports.crawl_listing import Comparison, CrawlListing, ListedChange
from domain.library.signature import ListedFile, Signature
from domain.library.verdict import Disposition, SkipReason, Verdict
from tests.fakes.library import Change, FileRow, Session, refuse

DISPOSITIONS = {
    "asset": Disposition.UNCHANGED,
    "duplicate": Disposition.DUPLICATE,
    "skipped": Disposition.SKIPPED,
    "failed": Disposition.FAILED,
}


@dataclass
class InMemoryCrawlListing(CrawlListing):
    session: Session

    @override
    def add(self, files: Sequence[tuple[ListedFile, SkipReason | None]]) -> None:
        for file, skipped in files:
            number = len(self.session.listed) + 1
            self.session.listed[file.path] = Change(number, file, skipped)

    @override
    def add_unreadable(self, entries: Sequence[bytes]) -> None:
        self.session.unreadable.extend(entry + b"/" for entry in entries)

    @override
    def compare(self) -> Comparison:
        session, library = self.session, self.session.prove()
        session.changes = {
            path: change
            for path, change in sorted(session.listed.items())
            if self._is_change(change)
        }
        for number, change in enumerate(session.changes.values(), start=1):
            change.number = number
        gone = set(library.files) - set(session.listed)
        if session.changes or gone:
            library.is_pairing_due = True
        outside = {path for path in gone if (path + b"/").startswith(tuple(session.unreadable))}
        missing = {path for path in gone if library.files[path].is_missing}
        session.absent = (gone - outside) | missing
        session.known_contents = {
            row.content
            for path, row in library.files.items()
            if path in session.changes and row.content
        }
        for path in set(library.flights) - set(session.changes):
            del library.flights[path]
        unchanged = [row for path, row in library.files.items() if path in self._unchanged()]
        self._repeat_failures()
        return Comparison(
            verdicts=list(Counter(_verdict(row) for row in unchanged).items()),
            outside=len(outside - missing),
            living=len(library.living()),
        )

    @override
    def settle_skipped(self) -> Sequence[tuple[Verdict, int]]:
        library, counts = self.session.prove(), Counter[SkipReason]()
        for path, change in self.session.changes.items():
            if change.skipped is not None:
                row = FileRow(Signature(change.file.size, change.file.mtime_ns), "skipped")
                refuse(library, path, row, change.skipped)
                counts[change.skipped] += 1
        return [
            (Verdict(disposition=Disposition.SKIPPED, reason=reason), count)
            for reason, count in counts.items()
        ]

    @override
    def to_fingerprint(self, after: int, limit: int) -> Sequence[ListedChange]:
        sizes = {content.size for content in self.session.known_contents}
        return self._page(
            after,
            limit,
            lambda change: change.file.size in sizes or self._has_content(change),
        )

    @override
    def note_hash(self, change: ListedChange, xxh64: str) -> None:
        self.session.changes[change.path].xxh64 = xxh64

    @override
    def to_ingest(self, after: int, limit: int, *, suspects: bool) -> Sequence[ListedChange]:
        return self._page(
            after, limit, lambda change: self._is_suspect(change.file.path) is suspects
        )

    def _page(
        self, after: int, limit: int, wanted: Callable[[Change], bool]
    ) -> Sequence[ListedChange]:
        assert 0 < limit <= 500
        with self.session.library.lock:
            return [
                ListedChange(
                    number=change.number,
                    path=change.file.path,
                    signature=Signature(change.file.size, change.file.mtime_ns),
                    xxh64=change.xxh64,
                    is_suspect=self._is_suspect(change.file.path),
                )
                for change in sorted(self.session.changes.values(), key=lambda each: each.number)
                if change.number > after and change.skipped is None and wanted(change)
            ][:limit]

    def _has_content(self, change: Change) -> bool:
        row = self.session.library.files.get(change.file.path)
        return row is not None and row.content is not None

    def _is_suspect(self, path: bytes) -> bool:
        flight = self.session.library.flights.get(path)
        return flight is not None and flight.deaths > 0

    def _is_change(self, change: Change) -> bool:
        row = self.session.library.files.get(change.file.path)
        if row is None or row.signature != Signature(change.file.size, change.file.mtime_ns):
            return True
        return (row.reason == "unsupported") is not (change.skipped == "unsupported")

    def _unchanged(self) -> set[bytes]:
        return set(self.session.listed) - set(self.session.changes)

    def _repeat_failures(self) -> None:
        library = self.session.library
        for path in sorted(self._unchanged()):
            row = library.files[path]
            if row.outcome == "failed":
                told = (self.session.tag.attempt, path, row.reason or "", row.message or "")
                library.failures.append(told)


def _verdict(row: FileRow) -> Verdict:
    return Verdict(
        disposition=DISPOSITIONS[row.outcome],
        media_type=row.media_type,
        reason=row.reason,
    )
