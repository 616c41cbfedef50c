"""Wiring of the crawl: the steps, and what they read and write."""

import sys
from typing import Any
from uuid import uuid4

from dependency_injector import containers, providers

from adapters.clock.boot_stopwatch import BootStopwatch
from adapters.clock.system_clock import SystemClock
from adapters.filesystem.originals import FilesystemOriginals, original_of
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
from adapters.runner_process.decoder_end import serve_runner
from adapters.runner_process.decoder_processes import DecoderProcesses
from application.crawling.clean_leftovers import CleanLeftovers
from application.crawling.crawl_library import CrawlLibrary
from application.crawling.develop_asset import DevelopAsset
from application.crawling.ingest_changes import IngestChanges
from application.crawling.ingest_file import IngestFile
from application.crawling.list_folder import ListFolder
from application.crawling.note_hash import NoteHash
from application.crawling.read_original import ReadOriginal
from application.crawling.reconcile import Reconcile
from application.ports.decoders import Decoders
from entrypoints.common.settings import WorkerSettings

DECODER_COMMAND = [sys.executable, "-m", "entrypoints.worker.decoder"]
DECODER_SECONDS = 120.0
# Each has the memory that all threads of a runner share; two keep a small machine alive.
DECODERS_AT_MOST = 2

Once = providers.ThreadSafeSingleton


class CrawlContainer(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=WorkerSettings)
    engine: providers.Dependency[Any] = providers.Dependency()

    limit_decoders = providers.Callable(limit_decoders, settings.provided.max_megapixels)

    clock = Once(SystemClock)
    originals = Once(
        FilesystemOriginals,
        worker_root=settings.provided.root,
        proxy_path=settings.provided.proxy_path,
    )
    proxies = Once(FilesystemProxyStore, proxy_path=settings.provided.proxy_path)
    budget = Once(
        DecodingBudget,
        providers.Factory(
            DecodingLimits,
            megapixels=settings.provided.max_megapixels,
            whole_megabytes=settings.provided.max_whole_megabytes,
            whole_megabytes_at_once=settings.provided.whole_megabytes_at_once,
            encoded_megabytes_at_once=settings.provided.encoded_megabytes_at_once,
        ),
    )
    developer = Once(
        DecodingMediaDeveloper,
        pictures=Once(PictureDeveloper, budget=budget),
        videos=Once(VideoDeveloper, budget=budget),
    )

    decoders = Once(
        Decoders, metadata=Once(FormatMetadataReader, budget=budget), developer=developer
    )
    decoder_command = providers.Object(DECODER_COMMAND)
    decoders_apart = Once(
        DecoderProcesses,
        command=decoder_command,
        most=DECODERS_AT_MOST,
        seconds_at_most=DECODER_SECONDS,
    )
    serve_runner = providers.Callable(
        serve_runner, decoders=decoders, open_file=providers.Object(original_of)
    )

    read_original = Once(ReadOriginal, originals=originals, hasher=Once(XxhContentHasher))
    develop_asset = Once(DevelopAsset, decoders=decoders, proxies=proxies)
    ingest_changes = Once(
        IngestChanges,
        ingest=Once(
            IngestFile, read=read_original, develop=develop_asset, new_id=providers.Object(uuid4)
        ),
        note_hash=Once(NoteHash, read=read_original),
        decoders_apart=decoders_apart,
        concurrency=settings.provided.max_concurrent_files,
    )
    crawl_library = Once(
        CrawlLibrary,
        folders=Once(PostgresCrawlFolders, engine=engine),
        originals=originals,
        catalogue=Once(PostgresLibraryCatalogue, engine=engine),
        clean_leftovers=Once(CleanLeftovers, proxies=proxies),
        list_folder=Once(ListFolder, originals=originals),
        ingest_changes=ingest_changes,
        reconcile=Once(Reconcile),
        clock=clock,
        stopwatch=Once(BootStopwatch),
    )
