"""How a run ended, as the executor sees it. Handlers report; the executor decides."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Succeeded:
    """The handler returned."""

    result: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Failed:
    """The handler raised."""

    error: str


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The handler stopped because a cancel was requested."""

    partial: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class Released:
    """The Worker hands the item back; the partial result counts only if a cancel was requested."""

    partial: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Stalled:
    """The handler's process died under its own Worker's eyes."""


Outcome: TypeAlias = Succeeded | Failed | Cancelled | Released | Stalled
