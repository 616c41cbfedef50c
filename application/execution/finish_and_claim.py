"""Writes an outcome, and takes the next item along with it where that is in order.

One commit between two items instead of two. Whatever goes wrong with it, the outcome is written
alone, as long as it takes. docs/adr/0025
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from application.execution.claim_work import Claimed, ClaimWork
from application.execution.inbox import Inbox
from application.execution.write_outcome import WriteOutcome, log_outcome
from application.ports.work_item_execution import OutcomeRefused, OutcomeUnstorable
from domain.errors import DatabaseUnavailable
from domain.work.attempt import AttemptTag
from domain.work.outcome import Failed, Outcome, Succeeded
from domain.work.progress import Progress

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishAndClaim:
    claim: ClaimWork
    write_outcome: WriteOutcome
    inbox: Inbox

    def __call__(
        self,
        tag: AttemptTag,
        outcome: Outcome,
        progress: Progress,
        *,
        give_up_at: float | None,
        kinds: Sequence[str],
    ) -> Claimed | None:
        """The next item, if it could be taken in the same transaction.

        `kinds`: what the runner can run. `give_up_at`: until when the outcome may be tried, on the
        stopwatch.
        """
        # Only a runner that has just reported is known to be there for another item.
        if isinstance(outcome, Succeeded | Failed) and self.inbox.stopping is None:
            try:
                answer, claimed = self.claim.with_outcome(kinds, tag, outcome, progress)
            except (DatabaseUnavailable, OutcomeRefused, OutcomeUnstorable) as error:
                logger.debug("the outcome is tried alone: %s", error)
            except Exception:
                # An impossible row must not take Workers down: its lease settles it.
                logger.exception("cannot claim", extra={"item_id": tag.item_id})
            else:
                log_outcome(tag, outcome, answer)
                return claimed
        self.write_outcome(tag, outcome, progress, give_up_at)
        return None
