"""The heartbeat of the current attempt: lease and progress out, cancel requests and fences in."""

import logging
from dataclasses import dataclass, field
from datetime import timedelta
from typing import assert_never
from uuid import UUID

from application.execution.inbox import CancelSeen, FencedOff, Inbox
from application.ports.runner import Runner
from application.ports.stopwatch import Stopwatch
from application.ports.work_item_execution import Beat, Refused, WorkItemExecution
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Kept:
    """The attempt being kept; a new one for each, so that a late beat cannot speak for the next."""

    tag: AttemptTag
    last_good_sent: float
    cancel_told: bool = False
    refused: bool = False
    silence_told: float | None = None
    """The last good beat when a silence was last told of: one after another good one is new."""


@dataclass(kw_only=True)
class KeepLease:
    """`begin` and `end` are the executor's; `beat` is called by the beating thread, for ever."""

    execution: WorkItemExecution
    runner: Runner
    stopwatch: Stopwatch
    inbox: Inbox
    lease: timedelta
    _kept: _Kept | None = field(default=None, init=False)

    def begin(self, tag: AttemptTag, claim_sent: float) -> None:
        """Keep this attempt; its claim was sent at `claim_sent` on the stopwatch."""
        self._kept = _Kept(tag, claim_sent)

    def end(self) -> None:
        """The outcome is written, or not ours to write: beat no more."""
        self._kept = None

    def item_id(self) -> UUID | None:
        """The item whose attempt is kept."""
        kept = self._kept
        return None if kept is None else kept.tag.item_id

    def has_lapsed(self) -> bool:
        """Whether the last good beat was sent longer ago than the lease lasts."""
        kept = self._kept
        if kept is None:
            return False
        return self.stopwatch.elapsed() - kept.last_good_sent >= self.lease.total_seconds()

    def beat(self) -> None:
        """One heartbeat, if an attempt is kept."""
        kept = self._kept
        if kept is None or kept.refused:
            return
        sent = self.stopwatch.elapsed()
        try:
            answer = self.execution.heartbeat(kept.tag, self.runner.progress(), self.lease)
        except DatabaseUnavailable as error:
            if kept.silence_told != kept.last_good_sent:
                silent = sent - kept.last_good_sent
                logger.warning("no heartbeat for %.0f s: %s", silent, error, exc_info=error)
            kept.silence_told = kept.last_good_sent
            return
        match answer:
            case Beat():
                if kept.silence_told == kept.last_good_sent:
                    silent = sent - kept.last_good_sent
                    logger.info("beating again after %.0f s", silent)
                kept.last_good_sent = sent
                self._tell_cancel(kept, answer)
            case Refused():
                self._tell_fence(kept, answer)
            case _:
                assert_never(answer)

    def _tell_cancel(self, kept: _Kept, beat: Beat) -> None:
        if beat.cancel_requested and not kept.cancel_told:
            kept.cancel_told = True
            self.inbox.put(CancelSeen(kept.tag))

    def _tell_fence(self, kept: _Kept, refused: Refused) -> None:
        kept.refused = True
        logger.info("heartbeat refused: %s", refused.name, extra={"item_id": kept.tag.item_id})
        self.inbox.put(FencedOff(kept.tag))
