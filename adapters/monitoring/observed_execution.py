"""The executor's port with somebody who watches: no statement is added, none is changed."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from uuid import UUID

from typing_extensions import override

from adapters.monitoring.execution_events import (
    Ended,
    ExecutionEvents,
    Fence,
    Heard,
    StallCause,
)
from application.ports.work_item_execution import (
    Answer,
    Beat,
    BeatAnswer,
    ClaimRequest,
    Refused,
    Settled,
    WorkItemExecution,
)
from domain.work.attempt import AttemptTag
from domain.work.item import WorkItem
from domain.work.outcome import Cancelled, Failed, Succeeded
from domain.work.progress import Progress
from domain.work.status import WorkStatus

RELEASED, STALLED = "Released", "Stalled"


@dataclass(slots=True)
class _Run:
    item: WorkItem
    began: float
    is_fenced: bool = False


@dataclass(slots=True, kw_only=True)
class CurrentRun:
    """The run that is under way. The main loop begins and ends it; the heartbeat may fence it."""

    events: ExecutionEvents
    now: Callable[[], float] = monotonic
    _run: _Run | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, item: WorkItem, claim_seconds: float) -> None:
        self._run = _Run(item, self.now())
        self.events.began(item, claim_seconds)

    def left(self) -> None:
        """A new claim is asked for, so the last run is over, whether or not it was written."""
        if self._run is not None:
            self.fence(self._run.item.tag(), Fence.UNKNOWN)
        self._run = None

    def end(
        self, tag: AttemptTag, outcome: str, result: Mapping[str, object] | None = None
    ) -> None:
        run = self._run
        if run is None or run.item.tag() != tag:
            return
        self._run = None
        seconds = self.now() - run.began
        self.events.ended(Ended(item=run.item, outcome=outcome, seconds=seconds, result=result))

    def fence(self, tag: AttemptTag, fence: Fence) -> None:
        run = self._run
        if run is None or run.item.tag() != tag:
            return
        with self._lock:
            was_fenced, run.is_fenced = run.is_fenced, True
        if not was_fenced:
            self.events.fenced(run.item, fence)


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedExecution(WorkItemExecution):
    """Wraps an execution; those of one Worker share the current run."""

    inner: WorkItemExecution
    run: CurrentRun

    @override
    def claim(self, request: ClaimRequest) -> WorkItem | None:
        self.run.left()
        began, heard = self.run.now(), Heard.FAILED
        try:
            item = self.inner.claim(request)
            heard = Heard.NONE if item is None else Heard.ITEM
        finally:
            seconds = self.run.now() - began
            self.run.events.claim_asked(seconds, heard)
        if item is not None:
            self.run.begin(item, seconds)
        return item

    @override
    def heartbeat(self, tag: AttemptTag, progress: Progress, lease: timedelta) -> BeatAnswer:
        began, heard = self.run.now(), Heard.FAILED
        try:
            answer = self.inner.heartbeat(tag, progress, lease)
            heard = Heard.WRITTEN if isinstance(answer, Beat) else Heard.REFUSED
        finally:
            self.run.events.beat(self.run.now() - began, heard)
        if isinstance(answer, Refused):
            self.run.fence(tag, Fence.HEARTBEAT)
        return answer

    @override
    def finish(
        self, tag: AttemptTag, outcome: Succeeded | Failed | Cancelled, progress: Progress
    ) -> Answer:
        answer = self.inner.finish(tag, outcome, progress)
        self._told_end(tag, outcome, answer)
        return answer

    @override
    def finish_and_claim(
        self,
        tag: AttemptTag,
        outcome: Succeeded | Failed,
        progress: Progress,
        request: ClaimRequest,
    ) -> tuple[Answer, WorkItem | None]:
        began = self.run.now()
        answer, item = self.inner.finish_and_claim(tag, outcome, progress, request)
        seconds = self.run.now() - began
        self._told_end(tag, outcome, answer)
        if item is not None:  # else it is asked for by itself
            self.run.left()
            self.run.events.claim_asked(seconds, Heard.ITEM)
            self.run.begin(item, seconds)
        return answer, item

    @override
    def release(self, tag: AttemptTag, partial: Mapping[str, object] | None) -> Answer:
        answer = self.inner.release(tag, partial)
        self._told(tag, answer, RELEASED)
        return answer

    @override
    def stalled(self, most: int) -> Sequence[UUID]:
        return self.inner.stalled(most)

    @override
    def recover(self, item_id: UUID, *, stall_limit: int) -> Answer:
        answer = self.inner.recover(item_id, stall_limit=stall_limit)
        if isinstance(answer, Settled):
            self.run.events.recovered(StallCause.LEASE, answer.status)
        return answer

    @override
    def recover_dead(self, tag: AttemptTag, *, stall_limit: int) -> Answer:
        answer = self.inner.recover_dead(tag, stall_limit=stall_limit)
        self._told(tag, answer, STALLED)
        if isinstance(answer, Settled):
            self.run.events.recovered(StallCause.DEATH, answer.status)
        return answer

    def _told_end(
        self, tag: AttemptTag, outcome: Succeeded | Failed | Cancelled, answer: Answer
    ) -> None:
        if isinstance(answer, Settled):
            self.run.end(tag, answer.status, _result_of(outcome))
        elif answer is not Refused.NOT_NOW:  # then it is released next
            self.run.fence(tag, Fence.OUTCOME)

    def _told(self, tag: AttemptTag, answer: Answer, outcome: str) -> None:
        match answer:
            case Settled(status=WorkStatus.CANCELLED) if outcome == RELEASED:
                self.run.end(tag, WorkStatus.CANCELLED)
            case Settled():
                self.run.end(tag, outcome)
            case Refused():
                self.run.fence(tag, Fence.OUTCOME)


def _result_of(outcome: Succeeded | Failed | Cancelled) -> Mapping[str, object] | None:
    match outcome:
        case Succeeded(result) | Cancelled(result):
            return result
        case Failed():
            return None
