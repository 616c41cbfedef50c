"""Names the item in every line of the log while it runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from application.execution.claim_work import Claimed
from application.ports.runner import Assignment, Report
from application.ports.work_context import WorkContext
from entrypoints.common.log_context import LogContext


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedExecution:
    """In the keeper, around the executor."""

    execute: Callable[[Claimed, Sequence[str]], Claimed | None]
    context: LogContext

    def __call__(self, claimed: Claimed, kinds: Sequence[str]) -> Claimed | None:
        item = claimed.item
        with self.context.running(item_id=item.id, kind=item.kind, attempt=item.attempt):
            return self.execute(claimed, kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedHandling:
    """In the runner, around the handler."""

    run: Callable[[Assignment, WorkContext], Report]
    context: LogContext

    def __call__(self, assignment: Assignment, context: WorkContext) -> Report:
        tag = assignment.tag
        with self.context.running(item_id=tag.item_id, kind=assignment.kind, attempt=tag.attempt):
            return self.run(assignment, context)
