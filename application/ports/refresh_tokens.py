"""Keeps refresh tokens, by their digests; expiry is by the database's clock."""

from abc import abstractmethod
from datetime import timedelta
from typing import Protocol
from uuid import UUID


class RefreshTokens(Protocol):
    """Tokens that buy new access tokens. A family is all that descends from one log-in.

    Each method is one transaction; all raise DatabaseUnavailable. Digests are SHA-256, 32 bytes.
    """

    @abstractmethod
    def start_family(self, user_id: UUID, digest: bytes, lifetime: timedelta) -> bool:
        """Keep the first token of a new family; False when the user is gone or disabled."""

    @abstractmethod
    def exchange(self, digest: bytes, successor: bytes, lifetime: timedelta) -> UUID | None:
        """Use the token up, keep its successor in the same family, and return whose they are.

        None when the token is unknown, expired or revoked, or its user is disabled. None also when
        it was used before, and then its whole family is revoked. Of callers that race with one
        token exactly one succeeds.
        """

    @abstractmethod
    def revoke_family(self, digest: bytes) -> None:
        """Revoke the token's family; a digest that nobody knows changes nothing."""
