"""The load: requests through the real enqueue path, and cancels and deletions over HTTP."""

import heapq
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from uuid import UUID

from uuid_utils.compat import uuid7

from application.ports.work_queue import WorkQueue
from application.use_cases.enqueue_work import EnqueueWork
from application.use_cases.enqueue_work import Request as EnqueueRequest
from domain.errors import DatabaseUnavailable, NotFound
from tests.chaos.api_client import ApiClient
from tests.chaos.history import Asked, CancelAnswer
from tests.chaos.kinds import LongPayload, ShortPayload
from tests.chaos.load import Request

AGAIN_SECONDS = 0.2


@dataclass
class Cancels:
    """Cancels items over HTTP when their time has come, each until the API has answered."""

    api: ApiClient
    stopped: threading.Event
    answers: list[CancelAnswer] = field(default_factory=list)
    _due: list[tuple[float, int, UUID]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=count)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, item: UUID, seconds: float = 0.0) -> None:
        """Have it cancelled after so many seconds. From any thread."""
        with self._turn:
            heapq.heappush(self._due, (time.monotonic() + seconds, next(self._numbers), item))

    def work(self) -> None:
        """Until it is told to stop; a thread's whole life."""
        while not self.stopped.wait(0.02):
            item = self._next()
            if item is not None and not self._cancel(item):
                self.ask(item, AGAIN_SECONDS)

    def _next(self) -> UUID | None:
        with self._turn:
            if self._due and self._due[0][0] <= time.monotonic():
                return heapq.heappop(self._due)[2]
        return None

    def _cancel(self, item: UUID) -> bool:
        path = f"/admin/work-items/{item}/cancel"
        status, body = self.api.call("POST", path, what="POST cancel")
        if status is None or status == 503:
            return False
        shown = body if isinstance(body, dict) else {}
        self.answers.append(
            CancelAnswer(
                item=item,
                status=status,
                shown_status=shown.get("status") if status in {200, 202} else None,
                shows_request=shown.get("cancelRequestedAt") is not None,
            )
        )
        return True


@dataclass
class Enqueuer:
    """Asks for what the load says, at its times; what failed is asked for again at once."""

    queue: WorkQueue
    requests: Sequence[Request]
    scopes: Sequence[UUID]
    cancels: Cancels
    stopped: threading.Event
    asked: list[Asked] = field(default_factory=list)
    is_done: bool = False

    def work(self) -> None:
        """Until all is asked for or it is told to stop; a thread's whole life."""
        began = time.monotonic()
        for request in self.requests:
            if self.stopped.wait(max(0.0, began + request.at - time.monotonic())):
                return
            self._ask(request)
        self.is_done = True

    def _ask(self, request: Request) -> None:
        wanted = EnqueueRequest(
            payload=_payload(request),
            scope=None if request.scope is None else self.scopes[request.scope],
            dedup_key=request.key,
        )
        enqueue = EnqueueWork(queue=self.queue, new_id=uuid7)
        while not self.stopped.is_set():
            at = time.time()
            try:
                answer = enqueue(wanted)
            except NotFound:  # its config is deleted
                self.asked.append(Asked(at=at, id=None))
                return
            except DatabaseUnavailable:
                self.stopped.wait(AGAIN_SECONDS)
                continue
            self.asked.append(Asked(at=at, id=answer.id, coalesced=answer.coalesced))
            if request.cancel_after is not None:
                self.cancels.ask(answer.id, request.cancel_after)
            return


def _payload(request: Request) -> ShortPayload | LongPayload:
    kind = LongPayload if request.is_long else ShortPayload
    return kind(act=request.act, seconds=request.seconds)


@dataclass
class Deletions:
    """Deletes configs over HTTP, each until the API has answered."""

    api: ApiClient
    stopped: threading.Event
    _wanted: list[UUID] = field(default_factory=list)
    deleted: list[UUID] = field(default_factory=list)

    def ask(self, config: UUID) -> None:
        self._wanted.append(config)

    def work(self) -> None:
        """Until it is told to stop; a thread's whole life."""
        while not self.stopped.wait(AGAIN_SECONDS):
            if self._wanted:
                path = f"/admin/storage-configs/{self._wanted[0]}"
                status, _ = self.api.call("DELETE", path, what="DELETE config")
                if status in {204, 404}:
                    self.deleted.append(self._wanted.pop(0))


@dataclass
class Prober:
    """Reads what an admin reads, all the time; only the answers matter."""

    api: ApiClient
    stopped: threading.Event

    def work(self) -> None:
        """Until it is told to stop; a thread's whole life."""
        while not self.stopped.wait(0.5):
            self.api.call("GET", "/readyz")
            self.api.call("GET", "/admin/work-items?pageSize=20")
