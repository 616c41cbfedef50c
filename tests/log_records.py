"""What a record of the log carries beside its text."""

import logging


def caught_by(record: logging.LogRecord) -> BaseException | None:
    """The exception that the record tells of; its cause is what the operator needs."""
    return record.exc_info[1] if record.exc_info else None
