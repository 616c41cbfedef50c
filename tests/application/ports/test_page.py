"""Which rows a page has."""

import pytest

from application.ports.page import PageRequest


@pytest.mark.parametrize(
    ("number", "size", "offset"), [(1, 50, 0), (2, 50, 50), (3, 7, 14), (1, 1, 0)]
)
def test_the_pages_before_are_left_out(number: int, size: int, offset: int) -> None:
    assert PageRequest(number=number, size=size).offset() == offset
