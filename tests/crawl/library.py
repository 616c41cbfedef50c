"""A storage config with a real folder and a real database, and crawls of it."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import Engine, text
from typing_extensions import override

from adapters.clock.boot_stopwatch import BootStopwatch
from adapters.clock.system_clock import SystemClock
from adapters.filesystem.originals import FilesystemOriginals
from adapters.filesystem.proxy_store import FilesystemProxyStore
from adapters.ingestion.content_hasher import XxhContentHasher
from adapters.ingestion.decoder_limits import limit_decoders
from adapters.ingestion.decoding_budget import DecodingBudget, DecodingLimits
from adapters.ingestion.media_developer import DecodingMediaDeveloper
from adapters.ingestion.metadata_reader import FormatMetadataReader
from adapters.ingestion.picture_developer import PictureDeveloper
from adapters.ingestion.video_developer import VideoDeveloper
from adapters.postgres.crawl_folders import PostgresCrawlFolders
from adapters.postgres.library_catalogue import PostgresLibraryCatalogue
from application.crawling.clean_leftovers import CleanLeftovers
from application.crawling.crawl_library import CrawlLibrary
from application.crawling.develop_asset import DevelopAsset
from application.crawling.ingest_changes import IngestChanges
from application.crawling.ingest_file import IngestFile
from application.crawling.list_folder import ListFolder
from application.crawling.note_hash import NoteHash
from application.crawling.read_original import ReadOriginal
from application.crawling.reconcile import Reconcile
from application.ports.content_hasher import ContentHasher
from application.ports.decoders import Decoders, DecodersApart
from application.ports.media_developer import MediaDeveloper
from application.ports.originals import Originals
from application.ports.proxy_store import ProxyStore
from application.ports.work_context import ProgressSink, WorkContext
from domain.work.attempt import AttemptTag
from tests.fakes.crawl_context import RecordedProgress, Token, assert_adds_up

MEGAPIXELS = 300


def real_budget(max_megapixels: float = MEGAPIXELS) -> DecodingBudget:
    """The room that the Worker's decoders share."""
    limits = DecodingLimits(
        megapixels=max_megapixels,
        whole_megabytes=540,
        whole_megabytes_at_once=200,
        encoded_megabytes_at_once=64,
    )
    return DecodingBudget(limits)


def real_developer(max_megapixels: float = MEGAPIXELS) -> DecodingMediaDeveloper:
    """The decoders as the Worker has them."""
    budget = real_budget(max_megapixels)
    return DecodingMediaDeveloper(
        pictures=PictureDeveloper(budget=budget), videos=VideoDeveloper(budget=budget)
    )


@dataclass(frozen=True)
class DecodersNotApart(DecodersApart):
    """In this process: a death ends what a test calls the process."""

    decoders: Decoders

    @override
    def opened(self) -> AbstractContextManager[Decoders]:
        return nullcontext(self.decoders)


@dataclass
class Library:
    """What the tests of whole crawls share."""

    engine: Engine
    base: Path
    worker: Engine | None = None
    """Of the Worker's role; None: the crawl runs as the owner, who arranges the rest."""
    zone: str = "Europe/Berlin"
    config: UUID = field(default_factory=uuid4)
    attempts: int = 0
    item: UUID = field(default_factory=uuid4)
    originals: Originals | None = None
    hasher: ContentHasher | None = None
    developer: MediaDeveloper | None = None
    proxies: ProxyStore | None = None
    concurrency: int = 4

    def __post_init__(self) -> None:
        limit_decoders(MEGAPIXELS)
        self.root.mkdir(parents=True)
        user = uuid4()
        self.run(
            "INSERT INTO users (id, name, email, password_hash) VALUES (:id, :name, :name, 'x')",
            id=user,
            name=user.hex,
        )
        self.run(
            "INSERT INTO storage_configs (id, user_id, root_path, time_zone)"
            " VALUES (:id, :user, :root, :zone)",
            id=self.config,
            user=user,
            root=str(self.root),
            zone=self.zone,
        )

    @property
    def crawler(self) -> Engine:
        """What the crawl itself is connected with."""
        return self.worker or self.engine

    @property
    def root(self) -> Path:
        return self.base / "originals" / "photos"

    @property
    def proxy_path(self) -> Path:
        return self.base / "proxies"

    def run(self, statement: str, **parameters: Any) -> None:
        with self.engine.begin() as connection:
            connection.execute(text(statement), parameters)

    def rows(self, query: str, **parameters: Any) -> list[Any]:
        with self.engine.begin() as connection:
            return list(connection.execute(text(query), {"config": self.config} | parameters))

    def claim(self) -> AttemptTag:
        """A running item, as the queue would leave it after a claim."""
        self.attempts += 1
        self.run(
            "INSERT INTO work_items AS w (id, kind, payload, storage_config_id, status, attempt,"
            " lease_until) VALUES (:id, 'Crawl', '{}', :config, 'Running', :attempt,"
            " clock_timestamp() + interval '60 s')"
            " ON CONFLICT (id) DO UPDATE SET attempt = excluded.attempt",
            id=self.item,
            config=self.config,
            attempt=self.attempts,
        )
        return AttemptTag(item_id=self.item, attempt=self.attempts)

    def allow_missing(self) -> datetime:
        """As the admin API does it; when it was allowed."""
        self.run(
            "INSERT INTO missing_allowances (storage_config_id) VALUES (:config)"
            " ON CONFLICT (storage_config_id) DO UPDATE SET allowed_at = excluded.allowed_at",
            config=self.config,
        )
        allowed_at = self.missing_allowed_at()
        assert allowed_at is not None
        return allowed_at

    def missing_allowed_at(self) -> datetime | None:
        query = "SELECT allowed_at FROM missing_allowances WHERE storage_config_id = :config"
        return next((row.allowed_at for row in self.rows(query)), None)

    def use_case(self) -> CrawlLibrary:
        originals = self.originals or FilesystemOriginals(
            worker_root=self.base / "originals", proxy_path=self.proxy_path
        )
        proxies = self.proxies or FilesystemProxyStore(proxy_path=self.proxy_path)
        read = ReadOriginal(originals=originals, hasher=self.hasher or XxhContentHasher())
        decoders = Decoders(
            metadata=FormatMetadataReader(budget=real_budget()),
            developer=self.developer or real_developer(),
        )
        return CrawlLibrary(
            folders=PostgresCrawlFolders(engine=self.crawler),
            originals=originals,
            catalogue=PostgresLibraryCatalogue(engine=self.crawler),
            clean_leftovers=CleanLeftovers(proxies=proxies),
            list_folder=ListFolder(originals=originals),
            ingest_changes=IngestChanges(
                ingest=IngestFile(
                    read=read,
                    develop=DevelopAsset(decoders=decoders, proxies=proxies),
                    new_id=uuid4,
                ),
                note_hash=NoteHash(read=read),
                decoders_apart=DecodersNotApart(decoders),
                concurrency=self.concurrency,
            ),
            reconcile=Reconcile(),
            clock=SystemClock(),
            stopwatch=BootStopwatch(),
        )

    def crawl(
        self, *, token: Token | None = None, progress: ProgressSink | None = None
    ) -> Mapping[str, Any]:
        context = WorkContext(
            tag=self.claim(),
            progress=progress or RecordedProgress(),
            cancellation=token or Token(),
        )
        result: Mapping[str, Any] = self.use_case()(self.config, context)
        assert_adds_up(result)
        return result

    def holders(self) -> dict[bytes, UUID]:
        """Which path holds which living asset."""
        return {
            bytes(row.path): row.asset_id
            for row in self.rows(
                "SELECT s.path, s.asset_id FROM source_files s"
                " JOIN media_assets a ON a.id = s.asset_id"
                " WHERE s.storage_config_id = :config AND s.outcome = 'asset'"
                " AND a.deleted_at IS NULL AND s.missing_at IS NULL"
            )
        }

    def living(self) -> int:
        return int(
            self.rows(
                "SELECT count(*) FROM media_assets"
                " WHERE storage_config_id = :config AND deleted_at IS NULL"
            )[0][0]
        )

    def proxy_files(self) -> dict[str, bytes]:
        """Every file below the proxy path."""
        return {
            str(path.relative_to(self.proxy_path)): path.read_bytes()
            for path in sorted(self.proxy_path.rglob("*"))
            if path.is_file()
        }
