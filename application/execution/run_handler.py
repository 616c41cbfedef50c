"""Runs one handler in the runner's process and turns whatever happens into a report."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from application.execution.handlers import HandlerRegistry
from application.ports.runner import Assignment, Interrupted, Raised, Report, Returned, Stopped
from application.ports.work_context import WorkCancelled, WorkContext
from domain.errors import DatabaseLost, DomainError
from domain.work.attempt import ClaimLost
from domain.work.limits import RESULT_BYTES, RESULT_DEPTH, is_deeper_than, storable_json
from domain.work.redaction import describe_error

logger = logging.getLogger(__name__)


class InvalidResult(DomainError):
    """A handler's result is no JSON object, or too large to be kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHandler:
    registry: HandlerRegistry
    roots: Sequence[str]
    """Folders below which names of media lie; none of it reaches an error."""

    def __call__(self, assignment: Assignment, context: WorkContext) -> Report:
        """What the handler did. Never raises: whatever it raises is its item's end."""
        about = {"item_id": assignment.tag.item_id, "attempt": assignment.tag.attempt}
        try:
            return self._run(assignment, context)
        except ClaimLost as lost:
            # No error: the item is gone or another's. Nothing of this report will be written.
            logger.info("the handler's claim was lost", extra=about)
            return Raised(describe_error(type(lost).__name__, str(lost)))
        except DatabaseLost as error:
            logger.warning("the handler lost the database", exc_info=error, extra=about)
            return Interrupted()
        except DomainError as error:
            # Its name says what happened: no fault to be looked for in our code.
            described = self._described(error)
            logger.warning("the handler raised %s", described, exc_info=error, extra=about)
            return Raised(described)
        except BaseException as error:  # a handler's sys.exit ends its item only
            logger.exception("the handler raised", extra=about)
            return Raised(self._described(error))

    def _described(self, error: BaseException) -> str:
        return describe_error(type(error).__name__, message_of(error), self.roots)

    def _run(self, assignment: Assignment, context: WorkContext) -> Report:
        entry = self.registry.of(assignment.kind)
        if entry is None:
            raise DomainError(f"no handler for the kind {assignment.kind}")
        payload = entry.payload.model_validate(dict(assignment.payload))
        try:
            return Returned(checked_result(entry.handler(payload, context)))
        except WorkCancelled as stopped:
            partial = stopped.partial
            return Stopped(None if partial is None else checked_result(partial))


def checked_result(result: object) -> Mapping[str, object]:
    """The result as it can be stored; InvalidResult where it can't."""
    if not isinstance(result, Mapping):
        raise InvalidResult(f"the result is a {type(result).__name__} and not an object")
    if is_deeper_than(result, RESULT_DEPTH):
        raise InvalidResult(f"the result is nested more than {RESULT_DEPTH} levels deep")
    try:
        clean = storable_json(result)
        size = len(json.dumps(clean, ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError) as error:
        raise InvalidResult(f"the result is not JSON ({type(error).__name__})") from error
    if size > RESULT_BYTES:
        raise InvalidResult(f"the result has {size} bytes; at most {RESULT_BYTES} are kept")
    assert isinstance(clean, dict)  # noqa: S101  # a mapping's copy
    return clean


def message_of(error: BaseException) -> str:
    """The exception's message; an operating system's without the file names it carries."""
    if isinstance(error, OSError) and error.strerror is not None:
        return f"[Errno {error.errno}] {error.strerror}"
    try:
        return str(error)
    except Exception:  # noqa: BLE001  # somebody's __str__ is broken; the type has to do
        return ""
