"""A copy under way is full of zeros: where coded pixels hold none, they are gaps.

No check takes zeros behind the end of the picture for a gap.
"""

from collections.abc import Iterator
from typing import Final

from adapters.ingestion.jpeg_markers import scan_of
from application.ports.media_developer import DamagedMedium

GAPS: Final = "the picture has gaps"
BLOCK_BYTES: Final = 4096
EMPTY_BLOCK: Final = bytes(BLOCK_BYTES)
NEARLY: Final = 4
"""The last bytes before a gap may be zeros by themselves."""
NEVER_IN_WEBP: Final = bytes(1024)
CODED_BY_WEBP: Final = frozenset({b"VP8 ", b"VP8L", b"ALPH"})
WEBP_HEADER: Final = 12
WEBP_FRAME_HEADER: Final = 16
CHUNK_HEADER: Final = 8
PACKED: Final = 3
"""Bits of ALPH's first byte: how it is packed, 0 for not at all."""


def refuse_holes_in_jpeg(encoded: bytes) -> None:
    """Raise DamagedMedium where a block of a file system holds nothing.

    A plain picture may have long runs of zeros, which begin anywhere.
    """
    if EMPTY_BLOCK in encoded:
        refuse_empty_blocks(encoded, *scan_of(encoded))


def refuse_empty_blocks(encoded: bytes, begin: int, end: int) -> None:
    """Raise DamagedMedium where zeros begin with a block, and fill it."""
    first = -(-begin // BLOCK_BYTES) * BLOCK_BYTES
    for at in range(first, end - BLOCK_BYTES + 1, BLOCK_BYTES):
        is_empty = encoded.startswith(EMPTY_BLOCK, at)
        if is_empty and any(encoded[at - NEARLY : at]):
            raise DamagedMedium(GAPS)


def refuse_gaps_in_webp(encoded: bytes) -> None:
    """Raise DamagedMedium where coded pixels hold a run of zeros that no coder writes."""
    if NEVER_IN_WEBP not in encoded:
        return
    end = 8 + int.from_bytes(encoded[4:8], "little")
    for kind, body in _chunks(memoryview(encoded)[WEBP_HEADER:end]):
        if kind == bytes(4):
            raise DamagedMedium(GAPS)
        is_plain = kind == b"ALPH" and not body[0] & PACKED
        if kind in CODED_BY_WEBP and not is_plain and NEVER_IN_WEBP in bytes(body):
            raise DamagedMedium(GAPS)


def _chunks(data: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    """Those of an animation's frames among them."""
    at = 0
    while at + CHUNK_HEADER <= len(data):
        kind = bytes(data[at : at + 4])
        size = int.from_bytes(data[at + 4 : at + CHUNK_HEADER], "little")
        body = data[at + CHUNK_HEADER : at + CHUNK_HEADER + size]
        if kind == b"ANMF":
            yield from _chunks(body[WEBP_FRAME_HEADER:])
        elif body or kind == bytes(4):
            yield kind, body
        at += CHUNK_HEADER + size + size % 2
