"""Read the queue as an admin sees it."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from application.ports.work_item_reader import (
    ListFilter,
    WorkItemDetail,
    WorkItemPage,
    WorkItemReader,
)
from domain.errors import NotFound

EXACT_TOTAL_UP_TO: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ListWork:
    reader: WorkItemReader

    def __call__(self, which: ListFilter, *, page: int, page_size: int) -> WorkItemPage:
        """Page `page` (from 1), newest request first; the total is exact to 10,000."""
        return self.reader.page(
            which,
            offset=(page - 1) * page_size,
            limit=page_size,
            count_up_to=EXACT_TOTAL_UP_TO,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWork:
    reader: WorkItemReader

    def __call__(self, item_id: UUID) -> WorkItemDetail:
        """The item as it is now; NotFound."""
        detail = self.reader.get(item_id)
        if detail is None:
            raise NotFound(f"work item {item_id} does not exist")
        return detail
