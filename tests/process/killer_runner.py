"""The product's runner with a decoder that dies of one picture, as decoders in C do."""

import os
import signal
import sys
from typing import BinaryIO, Final

from dependency_injector import providers
from typing_extensions import override

from application.ports.media_developer import MediaDeveloper
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Rendition
from entrypoints.worker.runner import main
from entrypoints.worker.runner_container import RunnerContainer
from tests.crawl.library import real_developer

KILLER: Final = b"this kills"


class DecoderThatKills(MediaDeveloper):
    """Real for every picture but those that end with the word."""

    def __init__(self) -> None:
        self._real = real_developer()

    @override
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        stream.seek(-len(KILLER), os.SEEK_END)
        if stream.read() == KILLER:
            os.kill(os.getpid(), signal.SIGSEGV)
        return self._real.develop(stream, media_format, orientation)


class KillerContainer(RunnerContainer):
    pass


KillerContainer.crawling.developer.override(providers.ThreadSafeSingleton(DecoderThatKills))

if __name__ == "__main__":
    main(sys.argv[1:], KillerContainer)
