"""Exchanges a refresh token for new tokens."""

from dataclasses import dataclass
from datetime import timedelta

from application.ports.refresh_tokens import RefreshTokens
from application.use_cases.sign_token_pair import SignTokenPair, TokenPair
from domain.identity.access import NotAuthenticated
from domain.identity.refresh_token import digest_of, new_secret


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshLogIn:
    """A refresh token is good for one exchange; its reuse ends the log-in."""

    refresh_tokens: RefreshTokens
    sign: SignTokenPair
    refresh_lifetime: timedelta

    def __call__(self, refresh_token: str) -> TokenPair:
        """Raise NotAuthenticated when the token can't be exchanged."""
        successor = new_secret()
        user_id = self.refresh_tokens.exchange(
            digest_of(refresh_token), digest_of(successor), self.refresh_lifetime
        )
        if user_id is None:
            raise NotAuthenticated("the refresh token is not valid")
        return self.sign(user_id, successor)
