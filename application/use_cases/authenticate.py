"""Finds out who is behind a request."""

from dataclasses import dataclass

from application.ports.access_tokens import AccessTokens
from application.ports.clock import Clock
from application.ports.users import Users
from domain.identity.access import Caller, NotAuthenticated


@dataclass(frozen=True, slots=True, kw_only=True)
class Authenticate:
    """The user is read each time, so that disabling or demoting one acts within a request."""

    access_tokens: AccessTokens
    users: Users
    clock: Clock

    def __call__(self, access_token: str) -> Caller:
        """Raise NotAuthenticated when the token is not good or its user is gone or disabled."""
        claims = self.access_tokens.read(access_token)
        if claims.expires_at <= self.clock.now():
            raise NotAuthenticated("the access token has expired")
        user = self.users.find(claims.user_id)
        if user is None or user.is_disabled:
            raise NotAuthenticated("the access token's user may not log in")
        return Caller(user=user, token_expires_at=claims.expires_at)
