"""Where Workers say that they are there. For people to look at; no decision hangs on it."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerIdentity:
    """One Worker process, from its start to its end."""

    id: UUID
    name: str
    """For display: whom it serves, at which host."""
    user_id: UUID | None
    """Whose storage configs it serves; None: everyone's."""
    host: str
    version: str


class WorkerRegister(Protocol):
    @abstractmethod
    def announce(self, who: WorkerIdentity, item_id: UUID | None) -> None:
        """Note that the Worker is there now, by the database's clock, and what it runs.

        Forgets the processes of the same name that have stopped, and those whose last sign was
        before this one's first and over a minute ago; of other names those that stopped over a
        day ago.
        DatabaseUnavailable.
        """

    @abstractmethod
    def sign_off(self, who: WorkerIdentity) -> None:
        """Note that the Worker stops now, as it was told to, and runs nothing any more.

        Its last word: it announces itself no more. DatabaseUnavailable.
        """
