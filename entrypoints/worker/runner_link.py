"""Puts what the runner says into the keeper's inbox."""

from collections.abc import Callable

from application.execution.inbox import Inbox, RunDied, RunEnded
from application.ports.runner import Report
from domain.work.attempt import AttemptTag
from domain.work.progress import Progress


def ended_into(inbox: Inbox) -> Callable[[AttemptTag, Report, Progress], None]:
    return lambda tag, report, progress: inbox.take(RunEnded(tag, report, progress))


def died_into(inbox: Inbox) -> Callable[[AttemptTag | None], None]:
    return lambda tag: inbox.take(RunDied(tag))
