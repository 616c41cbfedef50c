"""Enqueue: the only path by which a work item comes to exist."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from application.payloads import UNSTORABLE, Payload, kind_of, validated_json
from application.ports.transactions import Transaction
from application.ports.work_queue import Enqueued, NewWorkItem, WorkQueue
from domain.errors import InvalidInput
from domain.work.limits import PAYLOAD_BYTES, check_dedup_key, storable_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a caller wants done; `requested_by` None means that a schedule asked."""

    payload: Payload
    scope: UUID | None = None
    dedup_key: str | None = None
    requested_by: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnqueueWork:
    """Checks a request and inserts it, alone, within a caller's transaction, or if it is due."""

    queue: WorkQueue
    new_id: Callable[[], UUID]

    def __call__(self, request: Request) -> Enqueued:
        """Insert, or coalesce with the waiting item; InvalidInput, NotFound."""
        return self.queue.enqueue(self._checked(request))

    def within(self, transaction: Transaction, requests: Sequence[Request]) -> Sequence[Enqueued]:
        """The same for several requests as part of the caller's transaction."""
        return self.queue.enqueue_within(transaction, [self._checked(each) for each in requests])

    def if_due(self, request: Request, interval: timedelta) -> Enqueued | None:
        """Insert a periodic request whose key is due; None where it is not."""
        if request.dedup_key is None:
            raise InvalidInput("dedupKey", "a periodic request needs one")
        return self.queue.enqueue_if_due(self._checked(request), interval)

    def _checked(self, request: Request) -> NewWorkItem:
        if request.dedup_key is not None:
            check_dedup_key(request.dedup_key)
        return NewWorkItem(
            id=self.new_id(),
            kind=kind_of(type(request.payload)),
            payload=_checked_payload(request.payload),
            storage_config_id=request.scope,
            dedup_key=request.dedup_key,
            requested_by=request.requested_by,
        )


def _checked_payload(payload: Payload) -> dict[str, object]:
    """The payload as JSON that can be stored; InvalidInput names what is wrong."""
    values = validated_json(payload)
    if storable_json(values) != values:
        raise InvalidInput("payload", UNSTORABLE)
    if len(json.dumps(values, ensure_ascii=False).encode()) > PAYLOAD_BYTES:
        raise InvalidInput("payload", f"must have at most {PAYLOAD_BYTES} bytes of JSON")
    return values
