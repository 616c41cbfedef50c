"""All new and changed files of one crawl, a few at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from application.crawling.content_gate import ContentGate
from application.crawling.crawl_run import FILES_PER_PAGE, FILES_PER_PAIRING, CrawlRun
from application.crawling.ingest_file import IngestFile
from application.crawling.ingestion import Ingestion
from application.crawling.note_hash import NoteHash
from application.crawling.spread import spread
from application.ports.crawl_listing import ListedChange
from application.ports.decoders import Decoders, DecodersApart


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestChanges:
    """First the hashes that tell moves from changes, then every file, then the suspects.

    A suspect was in flight when a decoder died. Suspects come last and alone, so that nothing else
    waits for them or is in flight with them.
    """

    ingest: IngestFile
    note_hash: NoteHash
    decoders_apart: DecodersApart
    concurrency: int

    def __call__(self, run: CrawlRun) -> None:
        self._note_hashes(run)
        with self.decoders_apart.opened() as apart:
            self._ingest_all(run, apart)

    def _ingest_all(self, run: CrawlRun, apart: Decoders) -> None:
        listing = run.session.listing
        into = Ingestion(
            root=run.root,
            calendar=run.calendar,
            ledger=run.session.ledger,
            gate=ContentGate(),
            attempt=run.context.tag.attempt,
            apart=apart,
        )
        others = _pages(partial(listing.to_ingest, suspects=False))
        suspects = _pages(partial(listing.to_ingest, suspects=True))
        self._ingest(others, self.concurrency, into, run)
        self._ingest(suspects, 1, into, run)

    def _note_hashes(self, run: CrawlRun) -> None:
        note = partial(self.note_hash, root=run.root, listing=run.session.listing)
        changes = _pages(run.session.listing.to_fingerprint)
        noted = spread(note, changes, self.concurrency, run.context.cancellation)
        for compared, _ in enumerate(noted, start=1):
            run.show(compared)
        run.stop_if_requested()

    def _ingest(
        self, changes: Iterator[ListedChange], width: int, into: Ingestion, run: CrawlRun
    ) -> None:
        ingest = partial(self.ingest, into=into)
        unpaired = 0
        for verdict in spread(ingest, changes, width, run.context.cancellation):
            run.report.add(verdict)
            run.show()
            unpaired += 1
            # The first crawl of a library takes hours; its Live Photos are whole before it ends.
            if unpaired == FILES_PER_PAIRING:
                run.pair_live_photos(is_last=False)
                unpaired = 0
        if run.context.cancellation.requested:
            run.pair_live_photos(is_last=False)
            run.stop_if_requested()


def _pages(read: Callable[[int, int], Sequence[ListedChange]]) -> Iterator[ListedChange]:
    after = 0
    while page := read(after, FILES_PER_PAGE):
        yield from page
        after = page[-1].number
