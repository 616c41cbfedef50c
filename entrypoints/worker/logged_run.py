"""Names the item in every line of the log while it runs."""

from collections.abc import Callable
from dataclasses import dataclass

from application.ports.runner import Assignment, Report
from application.ports.work_context import WorkContext
from domain.work.item import WorkItem
from entrypoints.common.log_context import LogContext


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedExecution:
    """In the keeper, around the executor."""

    execute: Callable[[WorkItem, float], None]
    context: LogContext

    def __call__(self, item: WorkItem, claim_sent: float) -> None:
        with self.context.running(item_id=item.id, kind=item.kind, attempt=item.attempt):
            self.execute(item, claim_sent)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedHandling:
    """In the runner, around the handler."""

    run: Callable[[Assignment, WorkContext], Report]
    context: LogContext

    def __call__(self, assignment: Assignment, context: WorkContext) -> Report:
        tag = assignment.tag
        with self.context.running(item_id=tag.item_id, kind=assignment.kind, attempt=tag.attempt):
            return self.run(assignment, context)
