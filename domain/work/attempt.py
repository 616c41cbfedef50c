"""One attempt at a work item: what fences a Worker and tags its result rows."""

from dataclasses import dataclass
from uuid import UUID

from domain.errors import DomainError


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptTag:
    """The item's id and the number of its claim; together they name one run for ever."""

    item_id: UUID
    attempt: int


class ClaimLost(DomainError):
    """The claim is no longer the current one: the run must stop and write nothing."""

    def __init__(self, tag: AttemptTag) -> None:
        super().__init__(f"attempt {tag.attempt} of work item {tag.item_id} was fenced off")
        self.tag = tag
