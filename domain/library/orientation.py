"""EXIF orientation: how a stored picture must be turned to be seen upright."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Orientation:
    """Mirror left to right where `is_mirrored`, then turn clockwise by `degrees`."""

    degrees: int
    is_mirrored: bool

    def displayed(self, width: int, height: int) -> tuple[int, int]:
        """The stored width and height as they are seen."""
        return (height, width) if self.degrees in (90, 270) else (width, height)


UPRIGHT: Final = Orientation(0, is_mirrored=False)

_BY_TAG: Final[dict[int | None, Orientation]] = {
    1: UPRIGHT,
    2: Orientation(0, is_mirrored=True),
    3: Orientation(180, is_mirrored=False),
    4: Orientation(180, is_mirrored=True),
    5: Orientation(270, is_mirrored=True),
    6: Orientation(90, is_mirrored=False),
    7: Orientation(90, is_mirrored=True),
    8: Orientation(270, is_mirrored=False),
}


def orientation_of(tag: int | None) -> Orientation:
    """What the tag's value asks for; a missing or impossible value is upright."""
    return _BY_TAG.get(tag, UPRIGHT)
