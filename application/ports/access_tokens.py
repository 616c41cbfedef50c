"""Signs and reads access tokens."""

from abc import abstractmethod
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessClaims:
    """What an access token says. Instants are whole seconds in UTC."""

    user_id: UUID
    issued_at: datetime
    expires_at: datetime


class AccessTokens(Protocol):
    """Short-lived tokens that only this installation can sign."""

    @abstractmethod
    def sign(self, claims: AccessClaims) -> str:
        """The token that carries the claims."""

    @abstractmethod
    def read(self, token: str) -> AccessClaims:
        """What the token says; NotAuthenticated unless it was signed here and is whole.

        The caller compares `expires_at` with its clock.
        """
