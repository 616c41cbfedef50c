"""Enqueues periodic work that is due. Every Worker does; the table decides who was first."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from application.ports.due_work import DueWork
from application.ports.served_scopes import ServedScopes
from application.ports.work_item_execution import Serves
from application.schedules.schedule import Schedule, Slot, slots_by_key
from application.use_cases.enqueue_work import EnqueueWork, Request

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleDueWork:
    schedules: Sequence[Schedule]
    scopes: ServedScopes
    due_work: DueWork
    enqueue: EnqueueWork
    serves: Serves

    def __call__(self) -> int:
        """How many items were enqueued: one cheap look at all keys, then each due one decided."""
        slots = slots_by_key(self.schedules, self.scopes.active(self.serves.user_id))
        due = self.due_work.due({key: interval for key, (_, interval) in slots.items()})
        return sum(self._enqueue(*slots[key]) for key in sorted(due))

    def _enqueue(self, slot: Slot, interval: timedelta) -> bool:
        request = Request(payload=slot.payload, scope=slot.scope, dedup_key=slot.dedup_key)
        enqueued = self.enqueue.if_due(request, interval)
        if enqueued is not None:
            logger.info("%s is due", slot.dedup_key, extra={"item_id": enqueued.id})
        return enqueued is not None
