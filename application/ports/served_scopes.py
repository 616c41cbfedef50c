"""Which storage configs a Worker serves right now."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol
from uuid import UUID


class ServedScopes(Protocol):
    """Both methods raise DatabaseUnavailable."""

    @abstractmethod
    def user_named(self, login: str) -> UUID | None:
        """Whose name or e-mail address it is, whatever the case; None: nobody's."""

    @abstractmethod
    def active(self, user_id: UUID | None) -> Sequence[UUID]:
        """The active configs of the user, or of everyone; those of disabled users are not active.

        By id, so that every Worker goes through them in the same order.
        """
