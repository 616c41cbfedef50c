"""Who may log in, and the rules for what identifies them."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from domain.errors import Conflict, InvalidInput

NAME_LIMIT = 100
EMAIL_LIMIT = 320
PASSWORD_MINIMUM = 8
PASSWORD_LIMIT = 1_024
# Control, format and surrogate characters, and those that no one has assigned.
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})


class LastAdmin(Conflict):
    """The change would leave nobody who can administer the installation."""

    def __init__(self) -> None:
        super().__init__("the last enabled admin cannot be disabled, demoted or deleted")


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person with an account; name and e-mail are unique whatever the case."""

    id: UUID
    name: str
    email: str
    is_admin: bool
    is_disabled: bool
    created_at: datetime

    def can_administer(self) -> bool:
        """Whether this user counts as one of the enabled admins."""
        return self.is_admin and not self.is_disabled


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """A user and the hash that its password must match."""

    user: User
    password_hash: str


def composed_login(login: str) -> str:
    """What a person typed to log in, in the form in which names and addresses are kept."""
    return unicodedata.normalize("NFC", login)


def checked_name(name: str) -> str:
    """The name in composed form; refused when it could be taken for an e-mail address."""
    composed = _checked_text("name", name, NAME_LIMIT)
    if "@" in composed:
        raise InvalidInput("name", "must not contain @ (that would make it an e-mail address)")
    if composed != composed.strip():
        raise InvalidInput("name", "must not begin or end with a space")
    return composed


def checked_email(email: str) -> str:
    """The address in composed form: something, one @, something; no spaces."""
    composed = _checked_text("email", email, EMAIL_LIMIT)
    local, _, host = composed.partition("@")
    if not local or not host or "@" in host or _has_space(composed):
        raise InvalidInput("email", "must be an e-mail address such as alice@example.org")
    return composed


def checked_password(password: str) -> str:
    """The password as it is, within its limits."""
    if len(password) < PASSWORD_MINIMUM:
        raise InvalidInput("password", f"must have at least {PASSWORD_MINIMUM} characters")
    if len(password) > PASSWORD_LIMIT:
        raise InvalidInput("password", f"must have at most {PASSWORD_LIMIT} characters")
    return password


def _checked_text(field: str, text: str, limit: int) -> str:
    composed = unicodedata.normalize("NFC", text)
    if not composed:
        raise InvalidInput(field, "must not be empty")
    if len(composed) > limit:
        raise InvalidInput(field, f"must have at most {limit} characters")
    if any(unicodedata.category(character) in UNSEEN for character in composed):
        raise InvalidInput(field, "must not contain control or invisible characters")
    return composed


def _has_space(text: str) -> bool:
    return any(character.isspace() for character in text)
