"""Access tokens as JSON Web Tokens."""

import base64
import hmac
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


def raw(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def signed(payload: bytes, secret: str) -> str:
    """By the algorithm itself, since libraries refuse to sign such payloads."""
    message = f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{raw(payload)}"
    digest = hmac.new(secret.encode(), message.encode(), "sha256").digest()
    return f"{message}.{raw(digest)}"


SUB = str(CLAIMS.user_id).encode()
ODD_INSTANTS = (b"null", b'"1"', b"[]", b"{}", b"NaN", b"Infinity", b"1e300", b"-1e300")


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
        jwt.encode(BODY, SECRET + SECRET, algorithm="HS384"),
        jwt.encode(BODY, SECRET, algorithm="HS256")[:-2],
        jwt.encode(BODY, SECRET, algorithm="HS256") + ".e30",
        f"{part({'alg': 'None'})}.{part(BODY)}.",
        f"{part({'alg': ''})}.{part(BODY)}.",
        f"{part({'alg': None})}.{part(BODY)}.",
        f"{part({'alg': ['HS256']})}.{part(BODY)}.",
        f"{part(['HS256'])}.{part(BODY)}.",
        f"{part({'alg': 'HS256', 'kid': 5})}.{part(BODY)}.",
        f"{raw(b'[' * 5_000)}.{part(BODY)}.",
        f"{raw(b'1' * 5_000)}.{part(BODY)}.",
        ".".join(["a" * 3_000] * 3),
        "." * 8_000,
    ],
)
def test_what_was_not_signed_here_is_refused(tokens: JwtAccessTokens, token: str) -> None:
    with pytest.raises(NotAuthenticated, match=r"^the access token is not valid$"):
        tokens.read(token)


def test_a_text_that_tells_a_secret_key_nothing_is_none_either(tokens: JwtAccessTokens) -> None:
    """A key that was public would sign for whoever knows it: only the one secret is tried."""
    for key in ("", SECRET[:-1], SECRET.upper()):
        with pytest.raises(NotAuthenticated):
            tokens.read(signed(json.dumps(BODY).encode(), key or "\0"))


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"null",
        b"[]",
        b'"text"',
        b"\xff",
        b"[" * 5_000,
        b'{"sub": 7, "iat": 1, "exp": 2}',
        b'{"sub": null, "iat": 1, "exp": 2}',
        b'{"sub": "", "iat": 1, "exp": 2}',
        b'{"sub": ["7"], "iat": 1, "exp": 2}',
        *(b'{"sub": "%b", "iat": %b, "exp": 2}' % (SUB, odd) for odd in ODD_INSTANTS),
        *(b'{"sub": "%b", "iat": 1, "exp": %b}' % (SUB, odd) for odd in ODD_INSTANTS),
    ],
)
def test_claims_of_another_shape_are_refused_though_signed_here(
    tokens: JwtAccessTokens, payload: bytes
) -> None:
    with pytest.raises(NotAuthenticated, match=r"^the access token is not valid$"):
        tokens.read(signed(payload, SECRET))


def test_claims_that_are_not_known_and_an_issue_that_is_to_come_decide_nothing(
    tokens: JwtAccessTokens,
) -> None:
    """Hosts' clocks differ, and nobody but this installation signs."""
    later = int(datetime(2100, 1, 1, tzinfo=UTC).timestamp())
    body = {**BODY, "iat": later, "aud": "others", "iss": "others", "admin": True}
    read = tokens.read(jwt.encode(body, SECRET, algorithm="HS256"))
    assert (read.user_id, read.expires_at) == (CLAIMS.user_id, CLAIMS.expires_at)


def test_a_changed_token_is_refused(tokens: JwtAccessTokens) -> None:
    head, _, signature = tokens.sign(CLAIMS).split(".")
    with pytest.raises(NotAuthenticated):
        tokens.read(f"{head}.{part({**BODY, 'sub': str(UUID(int=8))})}.{signature}")
