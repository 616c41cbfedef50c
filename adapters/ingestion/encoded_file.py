"""A picture's file in memory: never a larger one, and never too many at the same time."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import SEEK_END
from typing import BinaryIO, Final

from adapters.ingestion.decoding_budget import DecodingBudget
from application.ports.media_developer import TooLarge

LARGEST_FILE: Final = 512 * 1024 * 1024


@contextmanager
def room_for(stream: BinaryIO, budget: DecodingBudget) -> Iterator[int]:
    """Wait for the room that the whole file takes; its size in bytes. Raises TooLarge.

    The stream is at its start then.
    """
    size = stream.seek(0, SEEK_END)
    if size > LARGEST_FILE:
        raise TooLarge("the picture is larger than 512 MiB")
    with budget.encoded(size):
        stream.seek(0)
        yield size


def bytes_of(stream: BinaryIO) -> bytes:
    """All of the file, even if it grows meanwhile no more than the limit."""
    return stream.read(LARGEST_FILE)
