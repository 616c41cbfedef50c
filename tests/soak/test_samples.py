"""A leak is told from a process that warms up, wavers and stays."""

import os
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, PAGESIZE, mmap

import pytest

from tests.soak.samples import FILES, MEMORY, growth, taken_of

WARMING = [40.0, 80.0, 118.0, 120.0]


@pytest.mark.parametrize(
    ("samples", "is_flat"),
    [
        ([*WARMING, *[120.0] * 12], True),
        ([*WARMING, *[119.0, 125.0, 121.0] * 4], True),
        ([*WARMING, *[120.0] * 6, 400.0, *[120.0] * 5], True),
        ([*WARMING, *[120.0 + 2 * each for each in range(12)]], False),
        ([*WARMING, *[120.0] * 6, *[140.0] * 6], False),
    ],
)
def test_growth_of_more_than_ten_megabytes_is_no_flat_line(
    samples: list[float], is_flat: bool
) -> None:
    assert growth("API", MEMORY, samples).is_flat is is_flat


def test_what_is_taken_of_a_process_is_what_it_holds() -> None:
    before = taken_of(os.getpid())
    # A mapping of its own: the heap may still have as much from somebody who is done.
    block = mmap(-1, 30 * 2**20, flags=MAP_PRIVATE | MAP_ANONYMOUS)
    for page in range(0, len(block), PAGESIZE):
        block[page] = 1
    files = [open(os.devnull) for _ in range(20)]  # noqa: PTH123, SIM115
    after = taken_of(os.getpid())
    for file in files:
        file.close()
    assert after[MEMORY] - before[MEMORY] > 25
    assert after[FILES] - before[FILES] == 20
    block.close()


def test_a_process_that_is_gone_has_no_figures() -> None:
    assert taken_of(2**22 + 1) == {}
