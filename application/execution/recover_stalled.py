"""Settles every item whose lease ran out, whoever's it was, one by one."""

import logging
from dataclasses import dataclass, field
from uuid import UUID

from application.ports.work_item_execution import Settled, WorkItemExecution
from domain.errors import DatabaseLost, DatabaseUnavailable

logger = logging.getLogger(__name__)

MOST_A_PASS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoverStalled:
    execution: WorkItemExecution
    stall_limit: int
    _reported: set[UUID] = field(default_factory=set)
    """Items that could not be settled and are in the log already."""

    def __call__(self) -> int:
        """How many were settled. One that can't be is logged once and holds no other back.

        DatabaseUnavailable, where the rest of the pass would only wait.
        """
        most = MOST_A_PASS + len(self._reported)
        return sum(self._recover(item_id) for item_id in self.execution.stalled(most))

    def _recover(self, item_id: UUID) -> bool:
        try:
            answer = self.execution.recover(item_id, stall_limit=self.stall_limit)
        except DatabaseLost:
            raise  # each of the others would wait for it as long
        except DatabaseUnavailable:
            logger.info("recovery will be tried again", extra={"item_id": item_id})
            return False
        except Exception:
            if item_id not in self._reported:
                self._reported.add(item_id)
                logger.exception("the item cannot be recovered", extra={"item_id": item_id})
            return False
        if isinstance(answer, Settled):
            logger.info("stalled: the item is %s", answer.status, extra={"item_id": item_id})
        return isinstance(answer, Settled)
