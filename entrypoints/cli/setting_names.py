"""The names of settings, and which one somebody meant who wrote another."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from pydantic import BaseModel

from entrypoints.common.settings import Settings

NESTED = "__"
CLOSE = 0.85
"""Of difflib's ratio: a letter or two of a name."""


def setting_names(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[str]:
    """Every variable that is read."""
    for name, field in model.model_fields.items():
        variable = prefix + name.upper()
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from setting_names(kind, variable + NESTED)
        else:
            yield variable


def meant_by(name: str) -> str | None:
    """The setting that a name comes close to."""
    return next(iter(get_close_matches(name, setting_names(), 1, CLOSE)), None)


def misspelt(environment: Iterable[str]) -> Iterator[str]:
    """A line for each variable of which even the group is none, but close to a setting.

    It may be another program's, so nothing is refused for it.
    """
    known = set(setting_names())
    groups = {name.partition(NESTED)[0] for name in known if NESTED in name}
    for name in sorted(environment):
        group, parted, _ = name.upper().partition(NESTED)
        meant = meant_by(name.upper()) if parted and group not in groups else None
        if meant is not None:
            yield f"{name}: there is no such setting, and nothing reads it; is {meant} meant?"
