"""What may be decoded, and how much of it at the same time, so that the memory stays small."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from adapters.ingestion.room import Room
from application.ports.media_developer import TooManyPixels

PIXELS_PER_MEGAPIXEL: Final = 1_000_000
BYTES_PER_MEGABYTE: Final = 1_000_000
LONGEST_SIDE: Final = 100_000
"""Strips are as wide as the picture: 50 megapixels of a million pixels' width took over 600 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingLimits:
    """In millions of pixels, and of bytes."""

    megapixels: float
    whole_megabytes: float
    """What one picture that cannot be read strip by strip may take, with its file."""
    whole_megabytes_at_once: float
    """The same in all threads together."""
    encoded_megabytes_at_once: float
    """Files as they stand on the disk, in all threads together."""


@dataclass(frozen=True, slots=True)
class DecodingBudget:
    """Shared by all threads of a process.

    Room for a file is taken before room for what is decoded and never the other way round, so no
    thread waits for one that waits for it.
    """

    limits: DecodingLimits
    _encoded: Room = field(init=False)
    _whole: Room = field(init=False)

    def __post_init__(self) -> None:
        encoded = self.limits.encoded_megabytes_at_once * BYTES_PER_MEGABYTE
        whole = self.limits.whole_megabytes_at_once * BYTES_PER_MEGABYTE
        object.__setattr__(self, "_encoded", Room(encoded))
        object.__setattr__(self, "_whole", Room(whole))

    def refuse(self, width: int, height: int) -> None:
        """Raise TooManyPixels for a picture over the limit of all pictures."""
        if max(width, height) > LONGEST_SIDE:
            raise TooManyPixels(f"a side of more than {LONGEST_SIDE:,} pixels")
        limit = self.limits.megapixels
        if width * height > limit * PIXELS_PER_MEGAPIXEL:
            raise TooManyPixels(f"more than {limit:g} megapixels")

    def refuse_whole(self, size: int) -> None:
        """Raise TooManyPixels where decoding takes more bytes than one picture may have."""
        limit = self.limits.whole_megabytes
        if size > limit * BYTES_PER_MEGABYTE:
            raise TooManyPixels(f"decoding it takes more than {limit:g} MB")

    @contextmanager
    def encoded(self, size: int) -> Iterator[None]:
        """Room for a file's bytes."""
        with self._encoded.take(size):
            yield

    @contextmanager
    def whole(self, size: int) -> Iterator[None]:
        """Room for the bytes that decoding a picture whole takes; raises TooManyPixels."""
        self.refuse_whole(size)
        with self._whole.take(size):
            yield
