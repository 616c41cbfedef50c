"""Values of EXIF fields: each of a type that its camera chose."""

import math
from fractions import Fraction

import pytest

from adapters.ingestion.exif_values import ascii_text, numbers, raw_text, whole_number


class OverZero:
    """A fraction that only fails once its value is asked for."""

    def __float__(self) -> float:
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("value", "raw"),
    [
        (b"Caf\xe9\x00", b"Caf\xe9\x00"),
        ("Caf\xe9\x00", b"Caf\xe9\x00"),
        ("\u20ac 5", b"? 5"),
        (None, None),
        (5, None),
        (("a",), None),
    ],
)
def test_text_is_the_bytes_that_stood_there(value: object, raw: bytes | None) -> None:
    assert raw_text(value) == raw


@pytest.mark.parametrize(
    ("value", "text"),
    [(b"2021:03:04", "2021:03:04"), ("+01:00", "+01:00"), (b"\xe9", "\ufffd"), (None, None)],
)
def test_plain_text_is_ascii(value: object, text: str | None) -> None:
    assert ascii_text(value) == text


@pytest.mark.parametrize(("value", "number"), [(6, 6), (0, 0), (6.0, None), ("6", None)])
def test_a_whole_number_is_one(value: object, number: int | None) -> None:
    assert whole_number(value) == number


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (5, (5.0,)),
        ((51, Fraction(1, 2), 40.5), (51.0, 0.5, 40.5)),
        ("7", (7.0,)),
        ((), ()),
        (None, None),
        ("north", None),
        ((1, None), None),
        ((1, 10**400), None),
        ((0, "?", 0), None),
    ],
)
def test_numbers_come_all_or_none(value: object, found: tuple[float, ...] | None) -> None:
    assert numbers(value) == found


def test_a_fraction_over_zero_is_no_number_and_spoils_no_other() -> None:
    found = numbers((OverZero(), 2))
    assert found is not None
    assert math.isnan(found[0])
    assert found[1:] == (2.0,)
