"""What the host refuses for the sake of those that it serves already."""

from domain.errors import DomainError


class Overloaded(DomainError):
    """The process does as much as it may already; the caller may try again."""


class TooManyWaiting(Overloaded):
    """The queue is full. It may be so many times a second, and is no fault to be looked into."""

    def __init__(self) -> None:
        super().__init__("too many requests of this kind are waiting; try again later")
