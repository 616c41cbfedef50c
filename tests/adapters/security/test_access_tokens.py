"""Access tokens as JSON Web Tokens."""

import base64
import json
from datetime import UTC, datetime
from uuid import UUID

import jwt
import pytest

from adapters.security.access_tokens import JwtAccessTokens
from application.ports.access_tokens import AccessClaims
from domain.identity.access import NotAuthenticated

SECRET = "a secret of more than thirty-two characters"
CLAIMS = AccessClaims(
    user_id=UUID(int=7),
    issued_at=datetime(2020, 1, 1, tzinfo=UTC),
    expires_at=datetime(2020, 1, 2, tzinfo=UTC),
)
BODY = {"sub": str(CLAIMS.user_id), "iat": 1_577_836_800, "exp": 1_577_923_200}


@pytest.fixture
def tokens() -> JwtAccessTokens:
    return JwtAccessTokens(SECRET)


def part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_what_was_signed_is_read_again(tokens: JwtAccessTokens) -> None:
    assert tokens.read(tokens.sign(CLAIMS)) == CLAIMS


def test_a_token_is_a_jwt_by_hs256(tokens: JwtAccessTokens) -> None:
    token = tokens.sign(CLAIMS)
    assert jwt.get_unverified_header(token)["alg"] == "HS256"
    assert jwt.decode(token, options={"verify_signature": False}) == BODY


@pytest.mark.parametrize("missing", ["sub", "iat", "exp"])
def test_every_claim_is_required(tokens: JwtAccessTokens, missing: str) -> None:
    body = {name: value for name, value in BODY.items() if name != missing}
    with pytest.raises(NotAuthenticated, match=r"^the access token is not valid$"):
        tokens.read(jwt.encode(body, SECRET, algorithm="HS256"))


@pytest.mark.parametrize(
    "token",
    [
        "",
        "nonsense",
        "a.b.c",
        "é.é.é",
        f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(BODY)}.",
        jwt.encode(BODY, "another secret of over thirty-two characters", algorithm="HS256"),
        jwt.encode(BODY, SECRET + SECRET, algorithm="HS512"),
        jwt.encode({**BODY, "sub": "nobody"}, SECRET, algorithm="HS256"),
        jwt.encode({**BODY, "exp": 10**30}, SECRET, algorithm="HS256"),
        jwt.encode({**BODY, "exp": "never"}, SECRET, algorithm="HS256"),
    ],
)
def test_what_was_not_signed_here_is_refused(tokens: JwtAccessTokens, token: str) -> None:
    with pytest.raises(NotAuthenticated, match=r"^the access token is not valid$"):
        tokens.read(token)


def test_a_changed_token_is_refused(tokens: JwtAccessTokens) -> None:
    head, _, signature = tokens.sign(CLAIMS).split(".")
    with pytest.raises(NotAuthenticated):
        tokens.read(f"{head}.{part({**BODY, 'sub': str(UUID(int=8))})}.{signature}")
