"""Runs one claimed item to its end: starts the handler, watches it, and has its outcome written.

The executor alone decides what becomes of an item; the handler only reports.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import assert_never

from application.execution.claim_work import Claimed
from application.execution.finish_and_claim import FinishAndClaim
from application.execution.inbox import (
    CancelSeen,
    FencedOff,
    Inbox,
    RunDied,
    RunEnded,
    ShutDown,
    ShutDownNow,
    Signal,
)
from application.execution.keep_lease import KeepLease
from application.execution.run_state import Died, End, Killed, RunState
from application.ports.runner import Assignment, Runner
from application.ports.stopwatch import Stopwatch
from domain.work.attempt import AttemptTag
from domain.work.progress import Progress

logger = logging.getLogger(__name__)

# How often the lease is looked at when nothing else happens.
LOOK_EVERY_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecuteWork:
    runner: Runner
    keep_lease: KeepLease
    finish_and_claim: FinishAndClaim
    inbox: Inbox
    stopwatch: Stopwatch
    grace: timedelta

    def __call__(self, claimed: Claimed, kinds: Sequence[str]) -> Claimed | None:
        """Run it, and bring the next one, of these kinds, if it could be had along the way."""
        item = claimed.item
        tag = item.tag()
        run = _Run(self, tag, RunState())
        self.keep_lease.begin(tag, claimed.sent)
        try:
            self.runner.begin(Assignment(tag=tag, kind=item.kind, payload=item.payload))
            logger.info(
                "claimed %s",
                item.kind,
                extra={"item_id": item.id, "kind": item.kind, "attempt": item.attempt},
            )
            end, progress = run.wait()
            if run.state.fenced:
                logger.info("fenced off: nothing is written", extra={"item_id": tag.item_id})
                return None
            return self.finish_and_claim(
                tag,
                run.state.outcome_of(end),
                progress,
                give_up_at=run.give_up_at(),
                kinds=kinds,
            )
        finally:
            self.keep_lease.end()


@dataclass(slots=True)
class _Run:
    """One attempt, from the start of its handler to its end."""

    executor: ExecuteWork
    tag: AttemptTag
    state: RunState

    def wait(self) -> tuple[End, Progress]:
        """The end of the run, however it comes, with its last progress."""
        while True:
            signal = self.executor.inbox.next(self._patience())
            if isinstance(signal, RunEnded) and signal.tag == self.tag:
                return signal.report, signal.progress
            if isinstance(signal, RunDied) and signal.tag == self.tag:
                return Died(), self.executor.runner.progress()
            self._take(signal)
            self._fence_if_lapsed()
            if self._time_is_up():
                return self._kill()

    def give_up_at(self) -> float | None:
        """Until when the outcome may be tried, on the stopwatch; None while nobody waits for us."""
        return self.state.stop_by if self.state.shutting_down else None

    def _take(self, signal: Signal | None) -> None:
        match signal:
            case CancelSeen(tag) if tag == self.tag:
                self.state.cancelled = True
                self._stop()
            case FencedOff(tag) if tag == self.tag:
                self.state.fenced = True
                self._stop()
            case ShutDown():
                self.state.shutting_down = True
                self._stop()
            case ShutDownNow():
                self.state.stop_by = self.executor.stopwatch.elapsed()
            case None | RunEnded() | RunDied() | CancelSeen() | FencedOff():
                return  # time has passed, or an earlier attempt speaks
            case _:
                assert_never(signal)

    def _fence_if_lapsed(self) -> None:
        if not self.state.fenced and self.executor.keep_lease.has_lapsed():
            logger.warning("no heartbeat for a whole lease: stopping", extra=self._about())
            self.state.fenced = True
            self._stop()

    def _stop(self) -> None:
        """Tell the handler once; a later reason gives it no more time."""
        if self.state.stop_by is None:
            grace = self.executor.grace.total_seconds()
            self.state.stop_by = self.executor.stopwatch.elapsed() + grace
            self.executor.runner.stop()

    def _patience(self) -> float:
        if self.state.stop_by is None:
            return LOOK_EVERY_SECONDS
        left = self.state.stop_by - self.executor.stopwatch.elapsed()
        return min(LOOK_EVERY_SECONDS, max(left, 0))

    def _time_is_up(self) -> bool:
        stop_by = self.state.stop_by
        return stop_by is not None and self.executor.stopwatch.elapsed() >= stop_by

    def _kill(self) -> tuple[End, Progress]:
        logger.warning("the handler did not stop in time and is killed", extra=self._about())
        progress = self.executor.runner.progress()
        self.executor.runner.kill()
        return Killed(), progress

    def _about(self) -> dict[str, object]:
        return {"item_id": self.tag.item_id}
