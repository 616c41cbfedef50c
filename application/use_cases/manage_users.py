"""Adds, lists, changes and deletes users."""

from dataclasses import dataclass
from uuid import UUID

from application.ports.page import Page, PageRequest
from application.ports.password_hasher import PasswordHasher
from application.ports.users import NewUser, UserChange, Users
from domain.identity.user import User, checked_email, checked_name, checked_password


@dataclass(frozen=True, slots=True, kw_only=True)
class AddUser:
    """Adds an enabled user."""

    users: Users
    password_hasher: PasswordHasher

    def __call__(self, *, name: str, email: str, password: str, is_admin: bool) -> User:
        """InvalidInput names the field that breaks a rule; Conflict the one that is taken."""
        checked = (checked_name(name), checked_email(email), checked_password(password))
        return self.users.add(
            NewUser(
                name=checked[0],
                email=checked[1],
                password_hash=self.password_hasher.hash(checked[2]),
                is_admin=is_admin,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListUsers:
    """Shows one page of the users."""

    users: Users

    def __call__(self, request: PageRequest) -> Page[User]:
        return self.users.page(request)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedUserChange:
    """What a caller wants changed; None leaves a value as it is."""

    name: str | None = None
    email: str | None = None
    password: str | None = None
    is_admin: bool | None = None
    is_disabled: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeUser:
    """Changes a user; disabling it or setting its password ends its log-ins."""

    users: Users
    password_hasher: PasswordHasher

    def __call__(self, user_id: UUID, requested: RequestedUserChange) -> User:
        """InvalidInput; NotFound; Conflict when a name is taken or no admin would be left."""
        return self.users.change(
            user_id,
            UserChange(
                name=None if requested.name is None else checked_name(requested.name),
                email=None if requested.email is None else checked_email(requested.email),
                password_hash=self._hashed(requested.password),
                is_admin=requested.is_admin,
                is_disabled=requested.is_disabled,
            ),
        )

    def _hashed(self, password: str | None) -> str | None:
        return None if password is None else self.password_hasher.hash(checked_password(password))


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveUser:
    """Deletes a user with all that is theirs."""

    users: Users

    def __call__(self, user_id: UUID) -> None:
        """NotFound; LastAdmin."""
        self.users.remove(user_id)
