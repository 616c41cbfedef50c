"""Tells a TIFF that was cut off: libvips makes what is missing black. And what it cannot read."""

from collections.abc import Mapping
from itertools import chain, repeat
from operator import add
from typing import Final

from adapters.ingestion.tiff_directory import BrokenDirectory, Entry, first_directory
from adapters.ingestion.zero_runs import refuse_empty_blocks
from application.ports.media_developer import DamagedMedium

COLOURS: Final = 262
LAB: Final = frozenset({8, 9, 10})
"""L*a*b* in its three codings, of which libvips reads another than programs write."""
COMPRESSION: Final = 259
NOT_COMPRESSED: Final = 1
PLACES: Final = ((273, 279), (324, 325))
"""Tags of the offsets and lengths: of strips, of tiles."""


def refuse_incomplete_tiff(encoded: bytes) -> None:
    """Raise DamagedMedium where the first picture's directory names anything beyond the end.

    Or where it names colours that cannot be read.
    """
    try:
        entries = {entry.tag: entry for entry in first_directory(encoded)}
        if COLOURS in entries and LAB.intersection(entries[COLOURS].numbers()):
            raise DamagedMedium("the picture's colours are coded as L*a*b*, which is not read")
        for offsets, lengths in PLACES:
            if offsets in entries:
                span = _refuse_missing(entries[offsets], entries.get(lengths), len(encoded))
                if _is_compressed(entries):
                    refuse_empty_blocks(encoded, *span)
    except BrokenDirectory as error:
        raise DamagedMedium("the picture is cut off") from error


def _refuse_missing(offsets: Entry, lengths: Entry | None, size: int) -> tuple[int, int]:
    """Where the first strip begins and where the last one ends.

    One of which no length is given has a byte at least.
    """
    starts = offsets.numbers()
    begin = min(starts, default=0)
    if begin == 0:
        raise DamagedMedium("the picture has gaps")
    known = () if lengths is None else lengths.numbers()
    end = max(map(add, starts, chain(known, repeat(1))))
    if end > size:
        raise DamagedMedium("the picture is cut off")
    return begin, end


def _is_compressed(entries: Mapping[int, Entry]) -> bool:
    """Zeros are pixels where it is not."""
    return COMPRESSION in entries and set(entries[COMPRESSION].numbers()) != {NOT_COMPRESSED}
