"""Notes a file's hash before anything is settled."""

from dataclasses import dataclass

from application.crawling.read_original import OriginalChanging, ReadOriginal
from application.ports.crawl_listing import CrawlListing, ListedChange
from application.ports.originals import CheckedRoot, OriginalUnreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteHash:
    """Files that cannot be hashed now are left for the ingest to judge."""

    read: ReadOriginal

    def __call__(self, change: ListedChange, root: CheckedRoot, listing: CrawlListing) -> None:
        try:
            with self.read.opened(root, change) as stream:
                content = self.read.content(stream, change)
        except (OriginalChanging, OriginalUnreadable):
            return
        listing.note_hash(change, content.xxh64)
