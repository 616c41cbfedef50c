"""A day of the year, without its year: what a memory is looked for by."""

import calendar
from dataclasses import dataclass
from typing import Final

from domain.errors import InvalidInput

MONTHS: Final = 12
A_LEAP_YEAR: Final = 2024


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarDay:
    """A day that at least some years have; `month` and `day` count from 1."""

    month: int
    day: int


def checked_day(month: int, day: int) -> CalendarDay:
    """The day; InvalidInput names the part that makes it impossible. 29 February is possible."""
    if not 1 <= month <= MONTHS:
        raise InvalidInput("month", f"must be from 1 to {MONTHS}")
    longest = calendar.monthrange(A_LEAP_YEAR, month)[1]
    if not 1 <= day <= longest:
        raise InvalidInput("day", f"must be from 1 to {longest} in month {month}")
    return CalendarDay(month=month, day=day)
