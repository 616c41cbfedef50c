"""What a caller may do, and how it is told that it may not."""

from dataclasses import dataclass
from datetime import datetime

from domain.errors import DomainError
from domain.identity.user import User


class NotAuthenticated(DomainError):
    """Nobody valid stands behind the request."""


class NotPermitted(DomainError):
    """The caller is known and lacks the role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The user behind a request, as the database has it now, and until when its token holds."""

    user: User
    token_expires_at: datetime

    def require_admin(self) -> None:
        """Raise NotPermitted unless the caller is an enabled admin."""
        if not self.user.can_administer():
            raise NotPermitted("this needs the admin role")
