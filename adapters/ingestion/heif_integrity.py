"""Tells a HEIC or AVIF that was cut off: decoders take what is there and leave the rest grey."""

from typing import Final

from adapters.ingestion.heif_boxes import (
    BrokenBoxes,
    Extent,
    NumberReader,
    extents,
    items,
    meta_boxes,
)
from application.ports.media_developer import DamagedMedium

HEVC: Final = frozenset({b"hvc1", b"hev1"})
AV1: Final = frozenset({b"av01"})
# A copy that is under way is full of zeros. HEVC never writes three in a row inside a unit, and an
# arithmetic coder never so many.
NEVER_IN_HEVC: Final = bytes(3)
NEVER_IN_AV1: Final = bytes(256)
UNIT_LENGTH_BYTES: Final = 4
GAPS: Final = "the picture has gaps"


def refuse_incomplete(encoded: bytes) -> None:
    """Raise DamagedMedium where coded pixels are missing from the file, or are zeros."""
    meta = meta_boxes(encoded)
    try:
        kinds = {item.number: item.kind for item in items(meta)}
        for extent in extents(meta):
            kind = kinds.get(extent.item)
            if kind in HEVC:
                _refuse_gaps_in_units(_coded(encoded, extent))
            if kind in AV1 and NEVER_IN_AV1 in bytes(_coded(encoded, extent)):
                raise DamagedMedium(GAPS)
    except BrokenBoxes as error:
        raise DamagedMedium("the picture is cut off") from error


def _coded(encoded: bytes, extent: Extent) -> memoryview:
    coded = memoryview(encoded)[extent.offset : extent.offset + extent.length]
    if len(coded) < extent.length:
        raise BrokenBoxes
    return coded


def _refuse_gaps_in_units(coded: memoryview) -> None:
    reader = NumberReader(coded)
    while reader.at < len(coded):
        unit = bytes(reader.take(reader.number(UNIT_LENGTH_BYTES)))
        if not unit or NEVER_IN_HEVC in unit:
            raise DamagedMedium(GAPS)
