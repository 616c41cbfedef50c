"""`anichron settings`: every variable, its value in force, and what it is for."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from pydantic import BaseModel, SecretStr

from entrypoints.common.settings import Settings

MASK = "********"


def show(
    as_json: Annotated[bool, typer.Option("--json", help="as one JSON object")] = False,
) -> None:
    """Show every setting, its value and its meaning.

    Secrets are masked.

    Example: QUEUE__POLL_SECONDS=1 anichron settings --json
    """
    rows = list(_rows(Settings()))
    if as_json:
        typer.echo(json.dumps({name: value for name, value, _ in rows}, indent=2))
        return
    width = max(len(name) for name, _, _ in rows)
    for name, value, description in rows:
        note = f"  # {description}" if description else ""
        typer.echo(f"{name:<{width}} = {'' if value is None else value}{note}")


def _rows(model: BaseModel, prefix: str = "") -> Iterator[tuple[str, Any, str | None]]:
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        variable = prefix + name.upper()
        if isinstance(value, BaseModel):
            yield from _rows(value, f"{variable}__")
        else:
            yield variable, _shown(value), field.description


def _shown(value: object) -> object:
    if isinstance(value, SecretStr):
        return MASK
    return value if isinstance(value, int | float | str | None) else str(value)
