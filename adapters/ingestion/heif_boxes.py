"""The boxes of HEIC and AVIF: what must be known before a decoder gets the file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

FULL_BOX: Final = 4
MOST_EXTENTS: Final = 50_000
"""Of all items: a picture of a hundred megapixels has a few hundred tiles."""
_HEADER: Final = 8
_LARGE_HEADER: Final = 16
_IN_FILE: Final = 0
_NOTHING: Final = memoryview(b"")


class BrokenBoxes(ValueError):
    """The structure ends too early."""


@dataclass(slots=True)
class NumberReader:
    """Big-endian numbers one after the other; raises BrokenBoxes past the end."""

    data: memoryview
    at: int = 0

    def number(self, size: int) -> int:
        """The next number, of so many bytes."""
        return int.from_bytes(self.take(size))

    def take(self, size: int) -> memoryview:
        """The next bytes."""
        if size > len(self.data) - self.at:
            raise BrokenBoxes
        self.at += size
        return self.data[self.at - size : self.at]


@dataclass(frozen=True, slots=True)
class Item:
    """One item of the file: a picture, a tile of one, a block of metadata."""

    number: int
    kind: bytes


@dataclass(frozen=True, slots=True)
class Extent:
    """Where a part of an item lies in the file."""

    item: int
    offset: int
    length: int


def boxes(data: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    """Each box's kind and body; one that claims more than there is has what there is."""
    at = 0
    while at + _HEADER <= len(data):
        size, header = int.from_bytes(data[at : at + 4]), _HEADER
        kind = bytes(data[at + 4 : at + _HEADER])
        if size == 1:
            size, header = int.from_bytes(data[at + 8 : at + 16]), _LARGE_HEADER
        if size == 0:
            size = len(data)  # until the end of all
        if size < header:
            return
        yield kind, data[at + header : at + size]
        at += size


def meta_boxes(encoded: bytes) -> dict[bytes, memoryview]:
    """The boxes of the file's `meta`; none where it has none."""
    for kind, body in boxes(memoryview(encoded)):
        if kind == b"meta":
            return dict(boxes(body[FULL_BOX:]))
    return {}


def declared_size(meta: dict[bytes, memoryview]) -> tuple[int, int]:
    """The largest width and height that any picture in the file claims to have."""
    containers = dict(boxes(meta.get(b"iprp", _NOTHING)))
    sizes = [
        (int.from_bytes(body[4:8]), int.from_bytes(body[8:12]))
        for kind, body in boxes(containers.get(b"ipco", _NOTHING))
        if kind == b"ispe"
    ]
    return max(sizes, key=lambda size: size[0] * size[1], default=(0, 0))


def item_entries(iinf: memoryview | None) -> Iterator[memoryview]:
    """The body of each item's box in an `iinf`; of none there are none."""
    if not iinf:
        return
    count_bytes = 4 if iinf[0] else 2
    for kind, body in boxes(iinf[FULL_BOX + count_bytes :]):
        if kind == b"infe" and len(body) > FULL_BOX:
            yield body


def items(meta: dict[bytes, memoryview]) -> Iterator[Item]:
    """What `iinf` lists."""
    for body in item_entries(meta.get(b"iinf")):
        if body[0] in {2, 3}:
            reader = NumberReader(body, FULL_BOX)
            number = reader.number(2 if body[0] == 2 else 4)  # noqa: PLR2004  # version 2
            reader.take(2)
            yield Item(number, bytes(reader.take(4)))


def extents(meta: dict[bytes, memoryview]) -> Iterator[Extent]:
    """What `iloc` says of the items that lie in the file itself."""
    box = meta.get(b"iloc")
    if not box:
        return
    version, reader = box[0], NumberReader(box, FULL_BOX)
    sizes = reader.number(2)
    offset_bytes, length_bytes, base_bytes = sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15
    index_bytes = sizes & 15 if version else 0
    wide = 2 if version < 2 else 4  # noqa: PLR2004  # version 2 has wide numbers
    seen = 0
    for _ in range(reader.number(wide)):
        item = reader.number(wide)
        method = reader.number(2) & 15 if version else _IN_FILE
        reader.take(2)
        base = reader.number(base_bytes)
        for _ in range(reader.number(2)):
            # Numbers of no width cost no bytes: the file's length is no limit then.
            seen += 1
            if seen > MOST_EXTENTS:
                raise BrokenBoxes
            reader.take(index_bytes)
            offset, length = reader.number(offset_bytes), reader.number(length_bytes)
            if method == _IN_FILE:
                yield Extent(item, base + offset, length)
