"""Writes an outcome in hand until the database has answered: one row, or none.

The fence makes trying again safe. Nothing else is begun before, and heartbeats go on meanwhile.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import assert_never

from application.execution.inbox import Inbox, ShutDownNow
from application.ports.stopwatch import Stopwatch
from application.ports.work_item_execution import (
    Answer,
    OutcomeRefused,
    OutcomeUnstorable,
    Refused,
    Settled,
    WorkItemExecution,
)
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.outcome import Cancelled, Failed, Outcome, Released, Stalled, Succeeded
from domain.work.progress import NO_PROGRESS, Progress

logger = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 0.1
REFUSED_SECONDS = 30.0
"""What is refused for so long gives way to a short error."""
REFUSED = "OutcomeRefused: the database refused to write the outcome"
UNSTORABLE = "OutcomeUnstorable: the database refused the outcome"


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOutcome:
    execution: WorkItemExecution
    inbox: Inbox
    stopwatch: Stopwatch
    stall_limit: int
    longest_pause: timedelta
    grace: timedelta

    def __call__(
        self, tag: AttemptTag, outcome: Outcome, progress: Progress, give_up_at: float | None
    ) -> None:
        """Write it; while shutting down, only until `give_up_at` on the stopwatch.

        What is given up then is recovered when its lease runs out.
        """
        pause, refused_since = FIRST_PAUSE_SECONDS, None
        while True:
            try:
                answer = self._write(tag, outcome, progress)
            except OutcomeUnstorable:
                logger.exception("the outcome cannot be stored", extra={"item_id": tag.item_id})
                if outcome != Failed(UNSTORABLE):
                    outcome, progress = Failed(UNSTORABLE), NO_PROGRESS
                    continue
            except (DatabaseUnavailable, OutcomeRefused) as error:
                if isinstance(error, OutcomeRefused):
                    if refused_since is None:
                        refused_since = self.stopwatch.elapsed()
                    if self._is_hopeless(outcome, refused_since):
                        outcome, progress = Failed(REFUSED), NO_PROGRESS
                logger.warning(
                    "the outcome is not written yet: %s; trying again in %.1f s",
                    error,
                    pause,
                    exc_info=error,
                    extra={"item_id": tag.item_id},
                )
            else:
                log_outcome(tag, outcome, answer)
                return
            self.inbox.next(pause)
            give_up_at = self._limit(give_up_at)
            if give_up_at is not None and self.stopwatch.elapsed() >= give_up_at:
                logger.error("the outcome is given up", extra={"item_id": tag.item_id})
                return
            pause = min(2 * pause, self.longest_pause.total_seconds())

    def _is_hopeless(self, outcome: Outcome, refused_since: float) -> bool:
        lasted = self.stopwatch.elapsed() - refused_since
        return lasted >= REFUSED_SECONDS and isinstance(outcome, Succeeded | Cancelled)

    def _limit(self, give_up_at: float | None) -> float | None:
        stopping = self.inbox.stopping
        if stopping is None:
            return None
        if isinstance(stopping, ShutDownNow):
            return self.stopwatch.elapsed()
        if give_up_at is not None:
            return give_up_at
        return self.stopwatch.elapsed() + self.grace.total_seconds()

    def _write(self, tag: AttemptTag, outcome: Outcome, progress: Progress) -> Answer:
        match outcome:
            case Succeeded() | Failed():
                return self.execution.finish(tag, outcome, progress)
            case Cancelled(partial):
                answer = self.execution.finish(tag, outcome, progress)
                # No request in the row after all: then the item is simply handed back.
                return self._release(tag, partial) if answer is Refused.NOT_NOW else answer
            case Released(partial):
                return self._release(tag, partial)
            case Stalled():
                return self.execution.recover_dead(tag, stall_limit=self.stall_limit)
            case _:
                assert_never(outcome)

    def _release(self, tag: AttemptTag, partial: Mapping[str, object] | None) -> Answer:
        return self.execution.release(tag, partial)


def log_outcome(tag: AttemptTag, outcome: Outcome, answer: Answer) -> None:
    about = {"item_id": tag.item_id, "attempt": tag.attempt}
    name = type(outcome).__name__
    match answer:
        case Settled(status=status):
            logger.info("%s: the item is %s", name, status, extra=about)
        case Refused():
            logger.info("%s: not written (%s)", name, answer.name, extra=about)
