"""A process that decodes as the files say, without the product's decoders: it is up at once."""

import os
import signal
import sys
import time
from typing import BinaryIO

from typing_extensions import override

from adapters.filesystem.originals import original_of
from adapters.runner_process.decoder_end import serve_runner
from application.ports.decoders import Decoders
from application.ports.media_developer import MediaDeveloper, TooManyPixels
from application.ports.metadata_reader import MetadataReader
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Proxy, ProxyKind, Rendition
from domain.library.raw_metadata import RawMetadata


class Untellable(Exception):
    """Cannot be built from what it tells of itself."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} and {other}")


def obey(content: bytes) -> None:
    match content:
        case b"CRASH":
            os.kill(os.getpid(), signal.SIGSEGV)
        case b"EXIT":
            os._exit(0)
        case b"HANG":
            time.sleep(600)
        case b"HUGE":
            raise TooManyPixels("more than 1 megapixels")
        case b"STRANGE":
            raise Untellable("this", "that")
        case _:
            pass


class OddReader(MetadataReader):
    """Says who read it, and what was in it."""

    @override
    def read(self, stream: BinaryIO, media_format: MediaFormat) -> RawMetadata:
        stream.seek(0)
        content = stream.read()
        obey(content)
        return RawMetadata(
            make=content, model=str(os.getpid()).encode(), lens=media_format.encode()
        )


class OddDeveloper(MediaDeveloper):
    @override
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        stream.seek(0)
        content = stream.read()
        obey(content)
        large = Proxy(kind=ProxyKind.PREVIEW, width=1, height=1, jpeg=content * 1_000_000)
        return Rendition(
            width=1, height=2, orientation=orientation, proxies=(large,), blurhash=media_format
        )


if __name__ == "__main__":
    decoders = Decoders(metadata=OddReader(), developer=OddDeveloper())
    serve_runner(sys.argv[1:], decoders, original_of)
