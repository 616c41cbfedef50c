"""The product's decoders, but they die of some files, as decoders in C do.

As a program: the process that decodes for the runner of these tests.
"""

import os
import signal
import sys
import threading
from dataclasses import dataclass
from typing import BinaryIO, Final

from dependency_injector import providers
from typing_extensions import override

from adapters.ingestion.metadata_reader import FormatMetadataReader
from application.ports.decoders import Decoders
from application.ports.media_developer import MediaDeveloper
from application.ports.metadata_reader import MetadataReader
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Rendition
from domain.library.raw_metadata import RawMetadata
from entrypoints.worker.crawl_container import CrawlContainer
from entrypoints.worker.decoder import main
from tests.crawl.library import real_budget, real_developer

KILLER: Final = b"this kills"
READERS_KILLER: Final = b"this kills readers"


def die_of(word: bytes, stream: BinaryIO) -> None:
    stream.seek(-len(word), os.SEEK_END)
    if stream.read() == word:
        # To this thread, as a fault is. One to the process is the main thread's to die of, and this
        # one decodes on until that thread has a processor.
        signal.pthread_kill(threading.get_ident(), signal.SIGSEGV)


@dataclass(frozen=True)
class DeveloperThatDies(MediaDeveloper):
    decent: MediaDeveloper

    @override
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        die_of(KILLER, stream)
        return self.decent.develop(stream, media_format, orientation)


@dataclass(frozen=True)
class ReaderThatDies(MetadataReader):
    decent: MetadataReader

    @override
    def read(self, stream: BinaryIO, media_format: MediaFormat) -> RawMetadata:
        die_of(READERS_KILLER, stream)
        return self.decent.read(stream, media_format)


def mortal_decoders() -> Decoders:
    return Decoders(
        metadata=ReaderThatDies(FormatMetadataReader(budget=real_budget())),
        developer=DeveloperThatDies(real_developer()),
    )


class KillerCrawlContainer(CrawlContainer):
    pass


KillerCrawlContainer.decoders.override(providers.ThreadSafeSingleton(mortal_decoders))

if __name__ == "__main__":
    main(sys.argv[1:], KillerCrawlContainer)
