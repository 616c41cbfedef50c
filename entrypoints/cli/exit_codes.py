"""What the exit status of `anichron` says. docs/operating.md shows this table to people."""

from enum import IntEnum

from domain.errors import DatabaseUnavailable
from entrypoints.cli.api_client.faults import ApiRefused, ApiUnreachable


class Exit(IntEnum):
    """Hosts that run in the foreground end with 0 when they were told to stop, else with 1 or 4."""

    DONE = 0
    """It is done."""
    NOT_DONE = 1
    """Somebody said no at a question, the doctor found something, or an item had finished."""
    BAD_INPUT = 2
    """The command, a value or a setting is wrong, or the schema is another release's."""
    AWAY = 3
    """The database or the API did not answer: the same command may work later."""
    REFUSED = 4
    """The API did not accept the log-in, or its user may not do this."""
    INTERRUPTED = 130
    """Ctrl-C."""


def exit_of(error: Exception) -> Exit:
    """The status for what a command raised."""
    match error:
        case DatabaseUnavailable() | ApiUnreachable():
            return Exit.AWAY
        case ApiRefused():
            return Exit.REFUSED
        case _:
            return Exit.BAD_INPUT
