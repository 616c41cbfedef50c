"""Access tokens as JSON Web Tokens."""

from datetime import UTC, datetime
from uuid import UUID

import jwt
from jwt.types import Options
from typing_extensions import override

from application.ports.access_tokens import AccessClaims, AccessTokens
from domain.identity.access import NotAuthenticated

ALGORITHM = "HS256"
# The use case compares expiry with the clock that it is given, not with this library's.
OPTIONS: Options = {
    "require": ["exp", "iat", "sub"],
    "verify_exp": False,
    "verify_iat": False,
    "verify_aud": False,
}


class JwtAccessTokens(AccessTokens):
    """HS256 with one secret, of at least 32 bytes, that only this installation knows."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    @override
    def sign(self, claims: AccessClaims) -> str:
        body = {
            "sub": str(claims.user_id),
            "iat": int(claims.issued_at.timestamp()),
            "exp": int(claims.expires_at.timestamp()),
        }
        return jwt.encode(body, self._secret, algorithm=ALGORITHM)

    @override
    def read(self, token: str) -> AccessClaims:
        try:
            body = jwt.decode(token, self._secret, algorithms=[ALGORITHM], options=OPTIONS)
            return AccessClaims(
                user_id=UUID(body["sub"]),
                issued_at=datetime.fromtimestamp(body["iat"], UTC),
                expires_at=datetime.fromtimestamp(body["exp"], UTC),
            )
        except (jwt.InvalidTokenError, ValueError, TypeError, OverflowError, OSError) as error:
            raise NotAuthenticated("the access token is not valid") from error
