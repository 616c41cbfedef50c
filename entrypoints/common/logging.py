"""Log lines: readable on a terminal, JSON elsewhere; bound with the item they speak of."""

import logging
import sys
from uuid import UUID

import structlog

from domain.errors import DomainError
from entrypoints.common.log_context import LogContext
from entrypoints.common.outages import cause_in_one_line
from entrypoints.common.settings import Settings


def configure_logging(settings: Settings, host: str, context: LogContext | None = None) -> None:
    """Send every record of the standard library's loggers to stderr in one form."""
    shared: list[structlog.types.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        _short_outages,
        _naming(host),
        *([context.bind] if context is not None else []),
        _plain_ids,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_rendering(settings),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level.upper())
    logging.getLogger("alembic").setLevel(logging.WARNING)


def _short_outages(
    _logger: object, _method: str, event: structlog.types.EventDict
) -> structlog.types.EventDict:
    """A fault that has a name and passes needs its cause told, and no traceback at every try."""
    error = event.get("exc_info")
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, DomainError) and event.get("level") == "warning":
        del event["exc_info"]
        if cause := cause_in_one_line(error):
            event["cause"] = cause
    return event


def _naming(host: str) -> structlog.types.Processor:
    def name(
        _logger: object, _method: str, event: structlog.types.EventDict
    ) -> structlog.types.EventDict:
        event["host"] = host
        return event

    return name


def _plain_ids(
    _logger: object, _method: str, event: structlog.types.EventDict
) -> structlog.types.EventDict:
    return {key: str(value) if isinstance(value, UUID) else value for key, value in event.items()}


def _rendering(settings: Settings) -> list[structlog.types.Processor]:
    console = settings.log_format == "console" or (
        settings.log_format == "auto" and sys.stderr.isatty()
    )
    if console:
        # The renderer's own choice shows the values of local variables, passwords among them.
        plain = structlog.dev.plain_traceback
        return [structlog.dev.ConsoleRenderer(exception_formatter=plain)]
    return [
        structlog.processors.format_exc_info,
        structlog.processors.UnicodeDecoder(),
        structlog.processors.JSONRenderer(default=str),
    ]
