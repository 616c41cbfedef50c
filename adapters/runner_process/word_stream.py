"""Pickled words over a socket, each after its length in four bytes."""

import pickle
import socket
from collections.abc import Iterator
from typing import Final

LENGTH_BYTES: Final = 4
AT_ONCE: Final = 65_536


def say(end: socket.socket, words: object) -> None:
    """Send it; OSError where nobody takes it."""
    content = pickle.dumps(words)
    end.sendall(len(content).to_bytes(LENGTH_BYTES) + content)


class WordStream:
    """What the other end says. Half a word waits here for its other half, and nobody for it."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._bytes = bytearray()

    def next(self) -> object:
        """The next word, waited for; EOFError or OSError when there will be none."""
        while True:
            for words in self._whole():
                return words
            self._take(0)

    def arrived(self) -> Iterator[object]:
        """The words that are there; EOFError or OSError after the last when no more will come."""
        while True:
            yield from self._whole()
            try:
                self._take(socket.MSG_DONTWAIT)
            except BlockingIOError:
                return

    def _take(self, flags: int) -> None:
        part = self._end.recv(AT_ONCE, flags)
        if not part:
            raise EOFError("the other end is gone")
        self._bytes += part

    def _whole(self) -> Iterator[object]:
        while len(self._bytes) >= LENGTH_BYTES:
            end = LENGTH_BYTES + int.from_bytes(self._bytes[:LENGTH_BYTES])
            if len(self._bytes) < end:
                return
            content = bytes(self._bytes[LENGTH_BYTES:end])
            del self._bytes[:end]
            yield pickle.loads(content)  # noqa: S301  # our own process
