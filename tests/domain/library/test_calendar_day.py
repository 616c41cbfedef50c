import pytest

from domain.errors import InvalidInput
from domain.library.calendar_day import CalendarDay, checked_day


@pytest.mark.parametrize(("month", "day"), [(1, 1), (1, 31), (2, 29), (4, 30), (12, 1), (12, 31)])
def test_a_day_that_some_year_has_is_possible(month: int, day: int) -> None:
    assert checked_day(month, day) == CalendarDay(month=month, day=day)


@pytest.mark.parametrize(
    ("month", "day", "complaint"),
    [
        (0, 1, "month: must be from 1 to 12"),
        (13, 1, "month: must be from 1 to 12"),
        (1, 0, "day: must be from 1 to 31 in month 1"),
        (1, 32, "day: must be from 1 to 31 in month 1"),
        (4, 31, "day: must be from 1 to 30 in month 4"),
        (2, 30, "day: must be from 1 to 29 in month 2"),
    ],
)
def test_an_impossible_day_is_refused_by_name(month: int, day: int, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{complaint}$"):
        checked_day(month, day)
