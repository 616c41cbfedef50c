"""What tells whether a file changed without opening it, and what it holds when opened."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, order=True)
class Signature:
    """Size in bytes and modification time in nanoseconds since 1970.

    Never ctime: a chmod of a whole library must not import it again.
    """

    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Content:
    """The identity of a file's content within one storage config."""

    size: int
    xxh64: str
    """Standard XXH64 (seed 0) as 16 hexadecimal digits."""


class ListedFile(NamedTuple):
    """One regular file as the walk found it. A plain tuple, because there are millions of them."""

    path: bytes
    """Relative to the root."""
    size: int
    mtime_ns: int
