"""Ends a log-in."""

from dataclasses import dataclass

from application.ports.refresh_tokens import RefreshTokens
from domain.identity.refresh_token import digest_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOut:
    """Whoever holds the refresh token may end its family; an unknown token is no error."""

    refresh_tokens: RefreshTokens

    def __call__(self, refresh_token: str) -> None:
        self.refresh_tokens.revoke_family(digest_of(refresh_token))
