"""Faults in the words of whoever caused them: which variable or place, and what is wrong."""

import re
from collections.abc import Iterator

from pydantic import ValidationError
from pydantic_settings import SettingsError

from domain.errors import DatabaseUnavailable
from entrypoints.cli.setting_names import meant_by
from entrypoints.common.outages import cause_in_one_line


def explained(error: Exception) -> str:
    """One line a fault."""
    match error:
        case ValidationError():
            return "\n".join(_settings_faults(error))
        case SettingsError():
            return _no_setting(error)
        case DatabaseUnavailable():
            return _outage(error)
        case OSError(strerror=str(reason)):
            return f"{error.filename or 'the system'}: {reason}"
        case _:
            return str(error)


def _settings_faults(error: ValidationError) -> Iterator[str]:
    """A secret's value is never repeated."""
    for fault in error.errors(include_url=False, include_input=False):
        name = "__".join(str(part).upper() for part in fault["loc"])
        reason = fault["msg"].removeprefix("Value error, ")
        if fault["type"] == "extra_forbidden":
            meant = meant_by(name)
            reason = "there is no such setting" + (f"; is {meant} meant?" if meant else "")
        yield f"{name}: {reason}" if name else reason


def _no_setting(error: SettingsError) -> str:
    """A group of settings that was set as if it were one."""
    quoted = re.search(r'"(\w+)"', str(error))
    name = quoted.group(1).upper() if quoted else "the environment"
    return f"{name}: is a group of settings and no setting; its members are {name}__…"


def _outage(error: DatabaseUnavailable) -> str:
    """With what the database said: whoever runs commands here may know its address."""
    said = cause_in_one_line(error)
    return f"{error}: {said}" if said else str(error)
