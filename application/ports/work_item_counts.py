"""How many items there are of each kind in each status."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from application.ports.work_item_reader import ListFilter
from domain.work.status import WorkStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCount:
    """The items of one kind in one status; at least one."""

    kind: str
    status: WorkStatus
    count: int
    is_capped: bool
    """There are at least so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItemCounts:
    counts: Sequence[KindCount]
    """By kind and status; kinds that no registry knows are among them."""
    server_time: datetime


class WorkItemCounter(Protocol):
    @abstractmethod
    def count(self, which: ListFilter, *, up_to: int, scoped_up_to: int) -> WorkItemCounts:
        """How many match, without reading more than a bounded part of the table.

        Without scopes each kind in each status is counted up to `up_to`. With scopes, at most
        `scoped_up_to` items of them are looked at; beyond that every count is capped, and what
        was not looked at is missing. DatabaseUnavailable.
        """
