"""Damage to whole files. One seed makes one file."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from domain.library.media_type import MediaFormat
from tests.fuzz.pool import Pool

MOST_MUTATIONS: Final = 4
MOST_BITS: Final = 24
LARGEST_BLOCK: Final = 4_096
HEADERS: Final = 2_048
"""Formats keep most of their structure at the beginning."""
ODD_LENGTHS: Final = (
    0,
    1,
    2,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0x8000,
    0xFFFF,
    2**31 - 1,
    2**31,
    2**32 - 1,
)


@dataclass(frozen=True, slots=True)
class Mutant:
    seed: int
    media_format: MediaFormat
    """Of the file that was damaged."""
    made_of: str
    content: bytes


def mutant(seed: int, pool: Pool) -> Mutant:
    random = Random(seed)  # noqa: S311  # repeatable on purpose
    media_format = random.choice(sorted(pool))
    file = random.choice(pool[media_format])
    content = bytearray(file.content)
    for _ in range(random.randint(1, MOST_MUTATIONS)):
        if content:
            random.choice(MUTATIONS)(content, random, pool)
    return Mutant(seed, media_format, file.name, bytes(content))


def _place(content: bytearray, random: Random) -> int:
    """Every other time within what are probably headers."""
    end = min(len(content), HEADERS) if random.random() < 0.5 else len(content)
    return random.randrange(end)


def flip_bits(content: bytearray, random: Random, _pool: Pool) -> None:
    for _ in range(random.randint(1, MOST_BITS)):
        content[_place(content, random)] ^= 1 << random.randrange(8)


def truncate(content: bytearray, random: Random, _pool: Pool) -> None:
    del content[_place(content, random) :]


def swap_blocks(content: bytearray, random: Random, _pool: Pool) -> None:
    size = min(random.randint(1, LARGEST_BLOCK), len(content) // 2)
    one, other = (random.randrange(len(content) - size + 1) for _ in range(2))
    here, there = content[one : one + size], content[other : other + size]
    content[one : one + size] = there
    content[other : other + size] = here


def edit_length(content: bytearray, random: Random, _pool: Pool) -> None:
    """Write a number where a length may stand, in either order of its bytes."""
    width = random.choice((1, 2, 4, 8))
    value = random.choice((*ODD_LENGTHS, len(content), random.getrandbits(32)))
    order: Literal["big", "little"] = "big" if random.random() < 0.5 else "little"
    at = _place(content, random)
    written = (value % 256**width).to_bytes(width, order)
    content[at : at + width] = written[: len(content) - at]


def splice(content: bytearray, random: Random, pool: Pool) -> None:
    """The beginning of one file and the end of another, of whatever format."""
    other = random.choice(pool[random.choice(sorted(pool))]).content
    content[_place(content, random) :] = other[random.randrange(len(other) + 1) :]


MUTATIONS: Final[tuple[Callable[[bytearray, Random, Pool], None], ...]] = (
    flip_bits,
    flip_bits,
    truncate,
    swap_blocks,
    edit_length,
    edit_length,
    splice,
)
