"""Cancel an item, or ask its Worker to."""

from dataclasses import dataclass
from uuid import UUID

from application.ports.work_item_canceller import CancelAnswer, WorkItemCanceller
from domain.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelWork:
    canceller: WorkItemCanceller

    def __call__(self, item_id: UUID) -> CancelAnswer:
        """What came of it, with the item as it then is; NotFound."""
        answer = self.canceller.cancel(item_id)
        if answer is None:
            raise NotFound(f"work item {item_id} does not exist")
        return answer
