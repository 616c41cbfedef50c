"""What the host refuses for the sake of those that it serves already."""

from domain.errors import DomainError


class Overloaded(DomainError):
    """The process does as much as it may already; the caller may try again."""
