"""Faults of settings in the words of whoever set them: the variable's name, and what is wrong."""

from collections.abc import Iterator

from pydantic import ValidationError


def settings_faults(error: ValidationError) -> Iterator[str]:
    """One line a fault. A secret's value is never repeated."""
    for fault in error.errors(include_url=False, include_input=False):
        name = "__".join(str(part).upper() for part in fault["loc"])
        reason = fault["msg"].removeprefix("Value error, ")
        if fault["type"] == "extra_forbidden":
            reason = "there is no such setting"
        yield f"{name}: {reason}" if name else reason
