"""Walks over the blocks of a GIF: its decoder shows what it has, and says nothing of the rest."""

from typing import Final

from application.ports.media_developer import DamagedMedium

SCREEN_AT: Final = 6
TABLE_AT: Final = 13
DAMAGED: Final = "the picture is damaged or cut off"
IMAGE, EXTENSION, TRAILER = 0x2C, 0x21, 0x3B
IMAGE_HEADER: Final = 10
HAS_TABLE: Final = 0x80
TABLE_SIZE: Final = 0x07
MOST_ZEROS: Final = 16
"""Behind a block."""


def refuse_gaps_in_gif(encoded: bytes) -> None:
    """Raise DamagedMedium where no further block, or the trailer, follows on the first picture.

    Later pictures of an animation are nobody's, so what is wrong with them does no harm.
    """
    try:
        at = TABLE_AT + _table_bytes(encoded[SCREEN_AT + 4])
        while (kind := encoded[at]) not in {IMAGE, TRAILER}:
            at = _after(encoded, at, kind)
        if kind == IMAGE:
            _refuse_gap(encoded, _after(encoded, at, kind))
    except IndexError as error:
        raise DamagedMedium(DAMAGED) from error


def _refuse_gap(encoded: bytes, at: int) -> None:
    """Zeros may end a block twice, in some programs; a gap has more."""
    while encoded[at] == 0:
        at = _after(encoded, at, 0)
    if encoded[at] not in {IMAGE, EXTENSION, TRAILER}:
        raise DamagedMedium(DAMAGED)


def _after(encoded: bytes, at: int, kind: int) -> int:
    """Where the next block begins."""
    if kind == IMAGE:
        table = _table_bytes(encoded[at + IMAGE_HEADER - 1])
        # One byte more: how wide the first codes are.
        return _after_parts(encoded, at + IMAGE_HEADER + table + 1)
    if kind == EXTENSION:
        return _after_parts(encoded, at + 2)
    if kind == 0 and any(encoded[at : at + MOST_ZEROS]):
        return at + 1
    raise DamagedMedium(DAMAGED)


def _after_parts(encoded: bytes, at: int) -> int:
    """Each part begins with its length; the last has none."""
    while length := encoded[at]:
        at += 1 + length
    return at + 1


def _table_bytes(flags: int) -> int:
    return 3 * 2 ** ((flags & TABLE_SIZE) + 1) if flags & HAS_TABLE else 0
