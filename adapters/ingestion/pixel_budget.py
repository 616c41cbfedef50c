"""Keeps pictures that must be decoded whole from filling the memory together."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from typing import Final

from application.ports.media_developer import TooManyPixels

PIXELS_PER_MEGAPIXEL: Final = 1_000_000


class PixelBudget:
    """What may be decoded at all, and how much of it whole at the same time.

    A picture that can be read strip by strip takes a few megabytes, whatever its size; one that
    can't takes four to six bytes a pixel.
    """

    def __init__(
        self, *, max_megapixels: float, max_whole_megapixels: float, shared_megapixels: float
    ) -> None:
        self._max = max_megapixels
        self._max_whole = min(max_megapixels, max_whole_megapixels)
        self._shared = shared_megapixels * PIXELS_PER_MEGAPIXEL
        self._in_use = 0
        self._changed = Condition()

    def refuse(self, width: int, height: int, *, is_whole: bool = False) -> None:
        """Raise TooManyPixels for a picture over its limit."""
        limit = self._max_whole if is_whole else self._max
        if width * height > limit * PIXELS_PER_MEGAPIXEL:
            raise TooManyPixels(f"more than {limit:g} megapixels")

    @contextmanager
    def whole(self, width: int, height: int) -> Iterator[None]:
        """Wait until the others leave room; alone, a picture of any size below the limit fits."""
        self.refuse(width, height, is_whole=True)
        pixels = width * height
        with self._changed:
            self._changed.wait_for(
                lambda: self._in_use == 0 or self._in_use + pixels <= self._shared
            )
            self._in_use += pixels
        try:
            yield
        finally:
            with self._changed:
                self._in_use -= pixels
                self._changed.notify_all()
