"""Signs the access token that goes with a log-in or a refresh."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from application.ports.access_tokens import AccessClaims, AccessTokens
from application.ports.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPair:
    """What a client holds after a log-in or a refresh."""

    access_token: str
    expires_at: datetime
    refresh_token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignTokenPair:
    """Puts a fresh access token beside a refresh token."""

    access_tokens: AccessTokens
    clock: Clock
    lifetime: timedelta

    def __call__(self, user_id: UUID, refresh_token: str) -> TokenPair:
        issued_at = self.clock.now().replace(microsecond=0)
        claims = AccessClaims(
            user_id=user_id, issued_at=issued_at, expires_at=issued_at + self.lifetime
        )
        return TokenPair(
            access_token=self.access_tokens.sign(claims),
            expires_at=claims.expires_at,
            refresh_token=refresh_token,
        )
