"""What a runner and a process that decodes for it say to each other, pickled, over their socket.

Both ends are the same release of the same program; nobody else can reach the socket. A file goes
along as an open descriptor, so no name is passed and nothing is opened twice.
"""

import pickle
import socket
from dataclasses import dataclass
from time import monotonic
from typing import Final

from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Rendition
from domain.library.raw_metadata import RawMetadata

LARGEST_REQUEST: Final = 4_096
LARGEST_ANSWER: Final = 64 * 1024 * 1024
LENGTH_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class Read:
    """Read the metadata of the file that comes along."""

    media_format: MediaFormat


@dataclass(frozen=True, slots=True)
class Develop:
    """Develop the file that comes along."""

    media_format: MediaFormat
    orientation: Orientation


@dataclass(frozen=True, slots=True)
class Raised:
    """The decoder raised an error, as it would have done in the runner."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Waiting:
    """The process is up and waits for its first request."""


Request = Read | Develop
Answer = RawMetadata | Rendition | Raised | Waiting


def ask(end: socket.socket, request: Request, file: int) -> None:
    """Send a request and the descriptor of its file; ConnectionError where nobody takes it."""
    socket.send_fds(end, [pickle.dumps(request)], [file])


def asked(end: socket.socket) -> tuple[Request, int] | None:
    """The next request and the descriptor of its file, which is ours; None at the end."""
    words, files, _, _ = socket.recv_fds(end, LARGEST_REQUEST, 1)
    if not words:
        return None
    return pickle.loads(words), files[0]  # noqa: S301  # our own process


def answer(end: socket.socket, words: Answer) -> None:
    """Send an answer."""
    content = pickle.dumps(words)
    end.sendall(len(content).to_bytes(LENGTH_BYTES) + content)


def answered(end: socket.socket, limit: float) -> Answer:
    """The answer, waited for so many seconds.

    EOFError or ConnectionError where the process is gone, TimeoutError when the time is over.
    """
    until = monotonic() + limit
    size = int.from_bytes(_exactly(end, LENGTH_BYTES, until))
    if size > LARGEST_ANSWER:
        raise EOFError("an answer that no decoder gives")
    words: Answer = pickle.loads(_exactly(end, size, until))  # noqa: S301  # our own process
    return words


def _exactly(end: socket.socket, size: int, until: float) -> bytes:
    content = bytearray()
    while len(content) < size:
        left = until - monotonic()
        if left <= 0:
            raise TimeoutError
        end.settimeout(left)
        part = end.recv(size - len(content))
        if not part:
            raise EOFError("the process is gone")
        content += part
    return bytes(content)
