"""What the OpenAPI document tells of one operation."""

from dataclasses import dataclass, field
from enum import Enum, auto

from pydantic import BaseModel

from entrypoints.api.problems import Problem


class Access(Enum):
    """Who may call an operation."""

    PUBLIC = auto()
    USER = auto()
    ADMIN = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method on one path. `problems` are the statuses that are this operation's own."""

    method: str
    path: str
    name: str
    summary: str
    tag: str
    access: Access = Access.ADMIN
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    answers: dict[int, type[BaseModel] | None] = field(default_factory=dict)
    media_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    problems: tuple[int, ...] = ()
    special_problems: dict[int, type[Problem]] = field(default_factory=dict)
    touches_database: bool = True
