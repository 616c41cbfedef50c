"""A crawl with everything in memory."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from application.crawling.clean_leftovers import CleanLeftovers
from application.crawling.crawl_library import CrawlLibrary
from application.crawling.develop_asset import DevelopAsset
from application.crawling.ingest_changes import IngestChanges
from application.crawling.ingest_file import IngestFile
from application.crawling.list_folder import ListFolder
from application.crawling.note_hash import NoteHash
from application.crawling.read_original import ReadOriginal
from application.crawling.reconcile import Reconcile
from application.ports.crawl_folders import CrawlFolder, CrawlFolders
from application.ports.decoders import Decoders
from application.ports.library_catalogue import LibraryCatalogue
from application.ports.work_context import WorkContext
from domain.work.attempt import AttemptTag
from tests.fakes.crawl_context import RecordedProgress, Token, assert_adds_up
from tests.fakes.crawl_folders import InMemoryCrawlFolders
from tests.fakes.host_clock import InMemoryClock, TickingStopwatch
from tests.fakes.library import InMemoryLibrary
from tests.fakes.library_catalogue import InMemoryLibraryCatalogue
from tests.fakes.media import (
    InMemoryContentHasher,
    InMemoryDecodersApart,
    InMemoryMediaDeveloper,
    InMemoryMetadataReader,
    InMemoryProxyStore,
)
from tests.fakes.originals import InMemoryOriginals

CONFIG = UUID(int=7)
ITEM = UUID(int=8)
NOW = datetime(2024, 6, 1, tzinfo=UTC)


@dataclass
class World:
    originals: InMemoryOriginals = field(default_factory=InMemoryOriginals)
    library: InMemoryLibrary = field(default_factory=InMemoryLibrary)
    hasher: InMemoryContentHasher = field(default_factory=InMemoryContentHasher)
    metadata: InMemoryMetadataReader = field(default_factory=InMemoryMetadataReader)
    developer: InMemoryMediaDeveloper = field(default_factory=InMemoryMediaDeveloper)
    proxies: InMemoryProxyStore = field(default_factory=InMemoryProxyStore)
    progress: RecordedProgress = field(default_factory=RecordedProgress)
    stop_when: Callable[[], bool] = lambda: False
    concurrency: int = 1
    attempts: int = 0
    config: UUID = CONFIG
    catalogue: LibraryCatalogue | None = None
    crawl_folders: CrawlFolders | None = None
    claim: Callable[[], AttemptTag] | None = None
    _ids: Any = field(default_factory=lambda: count(1000))

    def __post_init__(self) -> None:
        self.folders = InMemoryCrawlFolders(
            {
                self.config: CrawlFolder(
                    storage_config_id=self.config, root=b"/photos", zone=ZoneInfo("Asia/Tokyo")
                )
            },
            self.library,
        )
        # The same decoders apart and here, but where a test tells them apart.
        self.apart = InMemoryDecodersApart(self.metadata, self.developer)
        self.opened: list[UUID] = []
        self.catalogue = self.catalogue or InMemoryLibraryCatalogue(self.library, self.opened)

    def new_id(self) -> UUID:
        return UUID(int=next(self._ids))

    def use_case(self) -> CrawlLibrary:
        read = ReadOriginal(originals=self.originals, hasher=self.hasher)
        return CrawlLibrary(
            folders=self.crawl_folders or self.folders,
            originals=self.originals,
            catalogue=self.catalogue or InMemoryLibraryCatalogue(self.library),
            clean_leftovers=CleanLeftovers(proxies=self.proxies),
            list_folder=ListFolder(originals=self.originals),
            ingest_changes=IngestChanges(
                ingest=IngestFile(
                    read=read,
                    develop=DevelopAsset(
                        decoders=Decoders(metadata=self.metadata, developer=self.developer),
                        proxies=self.proxies,
                    ),
                    new_id=self.new_id,
                ),
                note_hash=NoteHash(read=read),
                decoders_apart=self.apart,
                concurrency=self.concurrency,
            ),
            reconcile=Reconcile(),
            clock=InMemoryClock(NOW),
            stopwatch=TickingStopwatch(),
        )

    def crawl(self) -> Mapping[str, Any]:
        self.attempts += 1
        context = WorkContext(
            tag=self.claim() if self.claim else AttemptTag(item_id=ITEM, attempt=self.attempts),
            progress=self.progress,
            cancellation=Token(when=self.stop_when),
        )
        result: Mapping[str, Any] = self.use_case()(self.config, context)
        assert_adds_up(result)
        return result

    def id_of(self, path: str) -> UUID:
        return self.library.holders()[path.encode()]
