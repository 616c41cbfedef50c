"""The first directory of a TIFF: both sizes of it, both orders of bytes."""

import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

SIZES: Final = dict(
    zip((*range(1, 14), 16, 17, 18), (1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 8, 8, 8), strict=True)
)
"""Of one value, in bytes, by the number of its type."""
INTEGERS: Final = {3: "H", 4: "I", 13: "I", 16: "Q", 18: "Q"}
Order = Literal["little", "big"]
MOST_NUMBERS: Final = 4_000_000
"""More strips than that no picture within our limits has."""


class BrokenDirectory(ValueError):
    """Something that it names lies beyond the end, or is no directory at all."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What is wider in a BigTIFF."""

    order: Order
    directory_at: int
    count_bytes: int
    word_bytes: int

    @property
    def entry_bytes(self) -> int:
        """Tag, type, number of values, and the value or its place."""
        return 4 + 2 * self.word_bytes


@dataclass(frozen=True, slots=True)
class Entry:
    tag: int
    kind: int
    values: memoryview
    """As they stand in the file."""
    order: Order

    def numbers(self) -> Sequence[int]:
        """The values as integers; raises BrokenDirectory for another type."""
        code = INTEGERS.get(self.kind)
        if code is None or len(self.values) > MOST_NUMBERS * SIZES[self.kind]:
            raise BrokenDirectory
        numbers = array(code)
        numbers.frombytes(self.values)
        if self.order != sys.byteorder:
            numbers.byteswap()
        return numbers


def first_directory(encoded: bytes) -> Iterator[Entry]:
    """Its entries; raises BrokenDirectory where one's values are not in the file."""
    data = memoryview(encoded)
    layout = _layout(data)
    at = layout.directory_at
    count = _number(data, at, layout.count_bytes, layout.order)
    at += layout.count_bytes
    # Behind the entries stands where the next directory is.
    _part(data, at, count * layout.entry_bytes + layout.word_bytes)
    for each in range(at, at + count * layout.entry_bytes, layout.entry_bytes):
        yield _entry(data, each, layout)


def _entry(data: memoryview, at: int, layout: Layout) -> Entry:
    word, order = layout.word_bytes, layout.order
    tag, kind = _number(data, at, 2, order), _number(data, at + 2, 2, order)
    size = _number(data, at + 4, word, order) * SIZES.get(kind, 0)
    place = at + 4 + word
    if size > word:
        place = _number(data, place, word, order)
    return Entry(tag, kind, _part(data, place, size), order)


def _layout(data: memoryview) -> Layout:
    order: Order = "little" if bytes(data[:2]) == b"II" else "big"
    if _number(data, 2, 2, order) == 43:  # noqa: PLR2004  # BigTIFF's 42
        return Layout(order, _number(data, 8, 8, order), 8, 8)
    return Layout(order, _number(data, 4, 4, order), 2, 4)


def _number(data: memoryview, at: int, size: int, order: Order) -> int:
    return int.from_bytes(_part(data, at, size), order)


def _part(data: memoryview, at: int, size: int) -> memoryview:
    if at + size > len(data):
        raise BrokenDirectory
    return data[at : at + size]
