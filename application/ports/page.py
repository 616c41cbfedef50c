"""One page of a list."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """Which page: `number` counts from 1."""

    number: int
    size: int

    def offset(self) -> int:
        """How many rows come before the page."""
        return (self.number - 1) * self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """The rows of the page and how many there are on all pages."""

    items: tuple[T, ...]
    total: int
