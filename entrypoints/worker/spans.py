"""Settings are numbers; the application takes spans."""

from datetime import timedelta


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


def days(number: float) -> timedelta:
    return timedelta(days=number)
