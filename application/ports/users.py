"""Keeps the users."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from application.ports.page import Page, PageRequest
from domain.identity.user import Credentials, User


@dataclass(frozen=True, slots=True, kw_only=True)
class NewUser:
    """A user to add; all values are checked."""

    name: str
    email: str
    password_hash: str
    is_admin: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UserChange:
    """What to change; None leaves a value as it is."""

    name: str | None = None
    email: str | None = None
    password_hash: str | None = None
    is_admin: bool | None = None
    is_disabled: bool | None = None


class Users(Protocol):
    """The users, each method one transaction but `remove`. All raise DatabaseUnavailable."""

    @abstractmethod
    def add(self, new: NewUser) -> User:
        """Add an enabled user. Conflict, naming the field, when the name or e-mail is taken."""

    @abstractmethod
    def find(self, user_id: UUID) -> User | None:
        """The user as it is now, or None."""

    @abstractmethod
    def find_many(self, user_ids: frozenset[UUID]) -> dict[UUID, User]:
        """Those of the users that exist, in one query."""

    @abstractmethod
    def find_credentials(self, login: str) -> Credentials | None:
        """The user whose name or e-mail this is, whatever the case, and its password's hash."""

    @abstractmethod
    def page(self, request: PageRequest) -> Page[User]:
        """One page, the earliest added first."""

    @abstractmethod
    def change(self, user_id: UUID, change: UserChange) -> User:
        """Change the user and return it as it is now.

        Disabling it or setting its password revokes all its refresh tokens in the same
        transaction. NotFound; Conflict, naming the field, when the name or e-mail is taken;
        LastAdmin when no enabled admin would be left, however many callers race.
        """

    @abstractmethod
    def remove(self, user_id: UUID) -> None:
        """Delete the user, its tokens, and its storage configs with all that hangs on them.

        NotFound; LastAdmin when no enabled admin would be left, however many callers race. In
        several transactions: an outage in between leaves it disabled, and a second call goes on.
        """
