"""Says whether the database can serve this release."""

from abc import abstractmethod
from typing import Protocol

from domain.errors import DomainError


class SchemaNotCurrent(DomainError):
    """The database's schema is not the one that this release needs."""

    def __init__(self, found: str | None, needed: str) -> None:
        super().__init__(f"the schema is at {found or 'no revision'}; this release needs {needed}")


class Readiness(Protocol):
    """Looks at the database."""

    @abstractmethod
    def check(self) -> None:
        """Return when it answers and its schema is at head, or at a newer one that serves us too.

        DatabaseUnavailable when it does not answer; SchemaNotCurrent when it is at another
        revision.
        """
