"""Tells contents apart."""

from abc import abstractmethod
from typing import BinaryIO, Protocol


class ContentHasher(Protocol):
    """XXH64 of a whole file."""

    @abstractmethod
    def hash(self, stream: BinaryIO) -> str:
        """XXH64 (seed 0) of all bytes from the start, 16 hexadecimal digits."""
