"""Opens a video for FFmpeg: as an open file, as the format that it is, and not for ever."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import BinaryIO, Final

import av
from av.container import InputContainer
from av.video.stream import VideoStream

from domain.errors import DomainError
from domain.library.media_type import MediaFormat

DEMUXERS: Final = {
    MediaFormat.MP4: "mov",
    MediaFormat.QUICKTIME: "mov",
    MediaFormat.AVI: "avi",
    MediaFormat.MATROSKA: "matroska",
    MediaFormat.ASF: "asf",
}
SECONDS_AT_MOST: Final = 15


class TakesTooLong(DomainError):
    """The video's structure keeps its reader busy without end."""


class BoundedStream:
    """What FFmpeg reads from; after a while it gets an error in place of bytes."""

    def __init__(self, stream: BinaryIO, seconds: float = SECONDS_AT_MOST) -> None:
        self._stream = stream
        self._seconds = seconds
        self.begin()
        self._end = stream.seek(0, os.SEEK_END)

    def begin(self) -> None:
        """Let the time begin anew."""
        self._until = monotonic() + self._seconds

    def check(self) -> None:
        """Raise TakesTooLong when the time is over."""
        if monotonic() > self._until:
            raise TakesTooLong("reading the video takes too long")

    def read(self, size: int) -> bytes:
        self.check()
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Raise ValueError for a place before the file; behind its end there is nothing to read.

        A damaged index names such places. The system would call them errors of the file's reading.
        """
        self.check()
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._stream.tell(), os.SEEK_END: self._end}[whence]
        if base + offset < 0:
            raise ValueError("a place before the beginning of the video")
        return self._stream.seek(min(base + offset, self._end))

    def tell(self) -> int:
        return self._stream.tell()


@contextmanager
def opened_video(bounded: BoundedStream, media_format: MediaFormat) -> Iterator[InputContainer]:
    """The format is named, so that no playlist is taken for a video and followed elsewhere."""
    bounded.seek(0)
    with av.open(
        bounded, mode="r", format=DEMUXERS[media_format], metadata_errors="replace"
    ) as container:
        yield container


def main_stream(container: InputContainer) -> VideoStream | None:
    """The first stream of moving pictures; a cover picture is none."""
    for stream in container.streams.video:
        if not stream.disposition & av.stream.Disposition.attached_pic:
            return stream
    return None
