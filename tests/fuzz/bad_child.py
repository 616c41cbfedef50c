"""The child with a decoder that does what the files say, for the tests of the probe."""

import os
import signal
import threading
import time
from dataclasses import dataclass, replace
from typing import BinaryIO

from typing_extensions import override

from application.ports.media_developer import MediaDeveloper
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Rendition
from tests.fuzz.child import develop_as_wired, serve

MEGABYTES = 64


@dataclass(frozen=True, slots=True)
class WickedDeveloper(MediaDeveloper):
    decent: MediaDeveloper

    @override
    def develop(
        self, stream: BinaryIO, media_format: MediaFormat, orientation: Orientation
    ) -> Rendition:
        stream.seek(0)
        content = stream.read()
        if b"CRASH" in content:
            os.kill(os.getpid(), signal.SIGSEGV)
        if b"EXIT" in content:
            os._exit(3)
        if b"LATER" in content:
            threading.Timer(0.2, lambda: os._exit(4)).start()
        if b"HANG" in content:
            time.sleep(600)
        if b"RAISE" in content:
            raise LookupError("nobody expects this")
        if b"GROW" in content:
            del [b"\1" * (MEGABYTES * 2**20)][:]
        return self.decent.develop(stream, media_format, orientation)


if __name__ == "__main__":
    wired = develop_as_wired()
    wicked = WickedDeveloper(wired.decoders.developer)
    serve(replace(wired, decoders=replace(wired.decoders, developer=wicked)))
